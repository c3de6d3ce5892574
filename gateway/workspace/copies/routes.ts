import { copyRoutes } from "#contract/routes/copies.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createDestination } from "./destinations/create.ts";
import { deleteDestination } from "./destinations/delete.ts";
import { getDestination, listDestinations } from "./destinations/read.ts";
import { testDestination, trySettings } from "./destinations/try.ts";
import { updateDestination } from "./destinations/update.ts";
import { getCopy, listCopies } from "./read.ts";
import { requestCopy } from "./request-copy.ts";
import { retryAll, retryCopy } from "./retry.ts";

/** Destinations, and the log of what is copied to them. */
export function installCopies(app: App, context: Context): void {
  serve(app, copyRoutes, {
    "POST /destinations": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const made = await createDestination(context, caller, request.body);
        return { status: 201, headers: { location: `/v1/destinations/${made.id}` }, body: made };
      });
    },
    "GET /destinations": (request) => listDestinations(context, actorOf(request).accountId, request.query),
    "POST /destinations/test": (request) =>
      trySettings(context, callerOf(request, actorOf(request)), request.body),
    "GET /destinations/{id}": (request) =>
      getDestination(context, actorOf(request).accountId, request.params.id),
    "PATCH /destinations/{id}": (request) =>
      updateDestination(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /destinations/{id}": (request) =>
      deleteDestination(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /destinations/{id}/test": (request) =>
      testDestination(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /destinations/{id}/retry": (request) =>
      retryAll(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /outputs/{id}/copies": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const copy = await requestCopy(context, caller, request.params.id, request.body.destination);
        return { status: 202, headers: { location: `/v1/copies/${copy.id}` }, body: copy };
      });
    },
    "GET /copies": (request) => listCopies(context, actorOf(request).accountId, request.query),
    "GET /copies/{id}": (request) => getCopy(context, actorOf(request).accountId, request.params.id),
    "POST /copies/{id}/retry": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const copy = await retryCopy(context, caller, request.params.id);
        return { status: 202, headers: { location: `/v1/copies/${copy.id}` }, body: copy };
      });
    },
  });
}
