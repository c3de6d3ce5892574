import { aliasRoutes } from "#contract/routes/aliases.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createAlias, deleteAlias, updateAlias } from "./change.ts";
import { aliasView } from "./view.ts";

export function installAliases(app: App, context: Context): void {
  serve(app, aliasRoutes, {
    "GET /aliases": async (request) => {
      const { accountId } = actorOf(request);
      const rows = await context.aliases.list(accountId);
      return { object: "list" as const, data: rows.map((row) => aliasView(context, accountId, row)) };
    },
    "POST /aliases": (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => ({
        status: 201,
        headers: {},
        body: await createAlias(context, caller, request.body),
      }));
    },
    "PATCH /aliases/{id}": (request) =>
      updateAlias(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /aliases/{id}": (request) =>
      deleteAlias(context, callerOf(request, actorOf(request)), request.params.id),
  });
}
