import { type EventTypeList, eventTypeTable } from "#contract/event-types.ts";
import { webhookRoutes } from "#contract/routes/webhooks.ts";
import { Delivery } from "#contract/webhook.ts";
import { eventTypes } from "#contract/webhook-constants.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { sendListAsCsv } from "#gateway/platform/http/csv-file.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { readCallbackSecret, rotateCallbackSecret } from "./callbacks.ts";
import { getDelivery, listDeliveries } from "./deliveries/read.ts";
import { resendDelivery, retryDelivery } from "./deliveries/retry.ts";
import { retryDeliveries } from "./deliveries/retry-many.ts";
import { createEndpoint } from "./endpoints/create.ts";
import { getEndpoint, listEndpoints } from "./endpoints/read.ts";
import { rotateSecret } from "./endpoints/rotate-secret.ts";
import { deleteEndpoint, sendTest, updateEndpoint } from "./endpoints/update.ts";
import { readFeed } from "./feed.ts";
import { installListen } from "./listen/stream.ts";
import { getResend, listResends, startResend, stopResend } from "./resends.ts";

/** Webhook endpoints and the delivery log. */
export function installWebhooks(app: App, context: EventsContext): void {
  serve(app, context, webhookRoutes, {
    "POST /webhooks/endpoints": ({ caller, body }) => createEndpoint(context, caller, body),
    "GET /webhooks/endpoints": ({ caller, query }) => listEndpoints(context, caller.actor.accountId, query),
    "GET /webhooks/endpoints/{id}": ({ caller, params }) =>
      getEndpoint(context, caller.actor.accountId, params.id),
    "PATCH /webhooks/endpoints/{id}": (request) =>
      updateEndpoint(context, request.caller, request.params.id, request.body),
    "DELETE /webhooks/endpoints/{id}": (request) =>
      deleteEndpoint(context, request.caller, request.params.id),
    "POST /webhooks/endpoints/{id}/rotate_secret": ({ caller, params, body }) =>
      rotateSecret(context, caller, params.id, body ?? {}),
    "POST /webhooks/endpoints/{id}/test": ({ caller, params }) => sendTest(context, caller, params.id),
    "GET /webhooks/default/secret": ({ caller }) => readCallbackSecret(context, caller),
    "POST /webhooks/default/secret/rotate": ({ caller, body }) =>
      rotateCallbackSecret(context, caller, body ?? {}),
    "GET /webhooks/deliveries": ({ caller, query }) => listDeliveries(context, caller.actor.accountId, query),
    "GET /webhooks/deliveries/export": ({ caller: { actor }, query }, reply) =>
      sendListAsCsv(
        reply,
        { actor, permission: "deliveries:read", name: "deliveries", row: Delivery },
        (page) => listDeliveries(context, actor.accountId, { ...query, ...page }),
      ),
    "GET /webhooks/deliveries/{id}": ({ caller, params }) => getDelivery(context, caller.actor, params.id),
    "POST /webhooks/deliveries/{id}/retry": ({ caller, params }) => retryDelivery(context, caller, params.id),
    "POST /webhooks/deliveries/{id}/resend": ({ caller, params }) =>
      resendDelivery(context, caller, params.id),
    "POST /webhooks/endpoints/{id}/resend": async ({ caller, params, body }, reply) => {
      const run = await startResend(context, caller, params.id, body);
      // A dry run starts nothing.
      if (run.id === null) reply.code(200);
      return run;
    },
    "GET /webhooks/endpoints/{id}/resends": ({ caller, params, query }) =>
      listResends(context, caller.actor.accountId, params.id, query),
    "GET /webhooks/resends/{id}": ({ caller, params }) =>
      getResend(context, caller.actor.accountId, params.id),
    "POST /webhooks/resends/{id}/stop": (request) => stopResend(context, request.caller, request.params.id),
    "GET /webhooks/event-types": () => listEventTypes(),
    "GET /events": ({ caller, query }) => readFeed(context, caller.actor, query),
    "POST /webhooks/deliveries/retry": (request) => retryDeliveries(context, request.caller, request.body),
  });
  installListen(app, context);
}

/** All event types, from `contract/event-types.ts`. */
function listEventTypes(): EventTypeList {
  return {
    object: "list",
    data: eventTypes.map((type) => ({ type, ...eventTypeTable[type] })),
  };
}
