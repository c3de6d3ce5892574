import { webhookRoutes } from "#contract/routes/webhooks.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce, withoutSecret } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { getDelivery } from "./deliveries/get.ts";
import { listDeliveries } from "./deliveries/list.ts";
import { resendDelivery, retryDelivery } from "./deliveries/retry.ts";
import { retryDeliveries } from "./deliveries/retry-many.ts";
import { createEndpoint } from "./endpoints/create.ts";
import { deleteEndpoint } from "./endpoints/delete.ts";
import { getEndpoint, listEndpoints } from "./endpoints/list.ts";
import { rotateSecret } from "./endpoints/rotate-secret.ts";
import { sendTest } from "./endpoints/send-test.ts";
import { updateEndpoint } from "./endpoints/update.ts";
import { listEventTypes } from "./event-types.ts";
import { readFeed } from "./feed/read.ts";
import { installListen } from "./listen/stream.ts";
import { getResend, listResends, stopResend } from "./resends/resends.ts";
import { startResend } from "./resends/start.ts";

const noStore = { "cache-control": "no-store" };

/** Webhook endpoints and the delivery log. */
export function installWebhooks(app: App, context: Context): void {
  serve(app, webhookRoutes, {
    "POST /webhooks/endpoints": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => {
        const endpoint = await createEndpoint(context, caller, request.body);
        const location = `/v1/webhooks/endpoints/${endpoint.id}`;
        return { status: 201, headers: { location, ...noStore }, body: endpoint };
      };
      return sendOnce(context, request, reply, caller.actor, produce, { kept: withoutSecret });
    },
    "GET /webhooks/endpoints": (request) => listEndpoints(context, actorOf(request).accountId, request.query),
    "GET /webhooks/endpoints/{id}": (request) =>
      getEndpoint(context, actorOf(request).accountId, request.params.id),
    "PATCH /webhooks/endpoints/{id}": (request) =>
      updateEndpoint(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /webhooks/endpoints/{id}": (request) =>
      deleteEndpoint(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /webhooks/endpoints/{id}/rotate_secret": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => {
        const endpoint = await rotateSecret(context, caller, request.params.id, request.body ?? {});
        return { status: 200, headers: noStore, body: endpoint };
      };
      return sendOnce(context, request, reply, caller.actor, produce, { kept: withoutSecret });
    },
    "POST /webhooks/endpoints/{id}/test": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        return { status: 202, headers: {}, body: await sendTest(context, caller, request.params.id) };
      });
    },
    "GET /webhooks/deliveries": (request) =>
      listDeliveries(context, actorOf(request).accountId, request.query),
    "GET /webhooks/deliveries/{id}": (request) => getDelivery(context, actorOf(request), request.params.id),
    "POST /webhooks/deliveries/{id}/retry": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const retry = await retryDelivery(context, caller, request.params.id);
        return { status: 202, headers: { location: `/v1/webhooks/deliveries/${retry.id}` }, body: retry };
      });
    },
    "POST /webhooks/deliveries/{id}/resend": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const sent = await resendDelivery(context, caller, request.params.id);
        return { status: 202, headers: { location: `/v1/webhooks/deliveries/${sent.id}` }, body: sent };
      });
    },
    "POST /webhooks/endpoints/{id}/resend": async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const run = await startResend(context, caller, request.params.id, request.body);
        const location = `/v1/webhooks/resends/${run.id}`;
        return { status: run.id ? 202 : 200, headers: run.id ? { location } : {}, body: run };
      });
    },
    "GET /webhooks/endpoints/{id}/resends": (request) =>
      listResends(context, actorOf(request).accountId, request.params.id, request.query),
    "GET /webhooks/resends/{id}": (request) =>
      getResend(context, actorOf(request).accountId, request.params.id),
    "POST /webhooks/resends/{id}/stop": (request) =>
      stopResend(context, callerOf(request, actorOf(request)), request.params.id),
    "GET /webhooks/event-types": () => listEventTypes(),
    "GET /events": (request) => readFeed(context, actorOf(request), request.query),
    "POST /webhooks/deliveries/retry": (request) =>
      retryDeliveries(context, callerOf(request, actorOf(request)), request.body),
  });
  installListen(app, context);
}
