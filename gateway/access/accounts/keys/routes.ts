import { keyRoutes } from "#contract/routes/keys.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce, withoutSecret } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { createKey } from "./create.ts";
import { assertModelsExist } from "./known-models.ts";
import { listKeys } from "./list.ts";
import { revokeKey } from "./revoke.ts";
import { rotateKey } from "./rotate.ts";
import { updateKey } from "./update.ts";

/** Everybody who runs has keys of their own; service keys and those of others take `keys:manage`, which the verbs check. */
export function installKeys(app: App, context: Context): void {
  serve(app, keyRoutes, {
    "GET /keys": (request) => listKeys(context, actorOf(request), request.query),
    "POST /keys": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => {
        assertModelsExist(context.catalog, request.body.models, caller.actor.accountId);
        const by = { ...caller, config: context.config };
        // The transaction reads the usage of ended keys: write what this process has metered first.
        await context.meter.flush();
        const key = await context.database.transaction((tx) =>
          createKey(tx, caller.actor.accountId, request.body, by),
        );
        const headers = { location: `/v1/keys/${key.id}`, "cache-control": "no-store" };
        return { status: 201, headers, body: key };
      };
      return sendOnce(context, request, reply, caller.actor, produce, { kept: withoutSecret });
    },
    "POST /keys/{id}/rotate": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const key = await rotateKey(context, caller, request.params.id, request.body.grace_seconds ?? 0);
      return reply.header("cache-control", "no-store").send(key);
    },
    "PATCH /keys/{id}": (request) =>
      updateKey(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /keys/{id}": (request) =>
      revokeKey(context, callerOf(request, actorOf(request)), request.params.id),
  });
}
