import { Type } from "typebox";
import { Deleted, PageQuery } from "#contract/list.ts";
import {
  BulkRetry,
  BulkRetryResult,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  Endpoint,
  EndpointCreate,
  EndpointList,
  EndpointUpdate,
  EndpointWithSecret,
  RotateSecret,
} from "#contract/webhook.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { sendOnce, withoutSecret } from "#gateway/http/idempotency.ts";
import { getDelivery } from "./deliveries/get.ts";
import { listDeliveries } from "./deliveries/list.ts";
import { retryDelivery } from "./deliveries/retry.ts";
import { retryDeliveries } from "./deliveries/retry-many.ts";
import { createEndpoint } from "./endpoints/create.ts";
import { deleteEndpoint } from "./endpoints/delete.ts";
import { getEndpoint } from "./endpoints/get.ts";
import { listEndpoints } from "./endpoints/list.ts";
import { rotateSecret } from "./endpoints/rotate-secret.ts";
import { sendTest } from "./endpoints/send-test.ts";
import { updateEndpoint } from "./endpoints/update.ts";
import { listenRoute } from "./listen/stream.ts";

const params = Type.Object({ id: Type.String() });
/** An answer that is replayed for its `Idempotency-Key` comes without the secret. */
const SecretOnce = Type.Union([EndpointWithSecret, Endpoint]);
const noStore = { "cache-control": "no-store" };

/** Webhook endpoints and the delivery log. */
export function webhookRoutes(app: App, context: Context): void {
  endpointRoutes(app, context);
  deliveryRoutes(app, context);
  listenRoute(app, context);
}

function endpointRoutes(app: App, context: Context): void {
  app.post(
    "/webhooks/endpoints",
    {
      config: { permission: "endpoints:manage", idempotent: true },
      schema: { body: EndpointCreate, response: { 201: SecretOnce } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => {
        const endpoint = await createEndpoint(context, caller, request.body);
        const location = `/v1/webhooks/endpoints/${endpoint.id}`;
        return { status: 201, headers: { location, ...noStore }, body: endpoint };
      };
      return sendOnce(context, request, reply, caller.actor, produce, { kept: withoutSecret });
    },
  );
  app.get(
    "/webhooks/endpoints",
    {
      config: { permission: "endpoints:read", extension: true },
      schema: { querystring: PageQuery, response: { 200: EndpointList } },
    },
    (request) => listEndpoints(context, actorOf(request).accountId, request.query),
  );
  app.get(
    "/webhooks/endpoints/:id",
    {
      config: { permission: "endpoints:read", extension: true },
      schema: { params, response: { 200: Endpoint } },
    },
    (request) => getEndpoint(context, actorOf(request).accountId, request.params.id),
  );
  app.patch(
    "/webhooks/endpoints/:id",
    {
      config: { permission: "endpoints:manage", extension: true },
      schema: { params, body: EndpointUpdate, response: { 200: Endpoint } },
    },
    (request) =>
      updateEndpoint(context, callerOf(request, actorOf(request)), request.params.id, request.body),
  );
  app.delete(
    "/webhooks/endpoints/:id",
    {
      config: { permission: "endpoints:manage", extension: true },
      schema: { params, response: { 200: Deleted } },
    },
    (request) => deleteEndpoint(context, callerOf(request, actorOf(request)), request.params.id),
  );
  app.post(
    "/webhooks/endpoints/:id/rotate_secret",
    {
      config: { permission: "endpoints:manage", extension: true, idempotent: true },
      schema: { params, body: Type.Optional(RotateSecret), response: { 200: SecretOnce } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => {
        const endpoint = await rotateSecret(context, caller, request.params.id, request.body ?? {});
        return { status: 200, headers: noStore, body: endpoint };
      };
      return sendOnce(context, request, reply, caller.actor, produce, { kept: withoutSecret });
    },
  );
  app.post(
    "/webhooks/endpoints/:id/test",
    {
      config: { permission: "endpoints:test", extension: true, idempotent: true },
      schema: { params, response: { 202: Delivery } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        return { status: 202, headers: {}, body: await sendTest(context, caller, request.params.id) };
      });
    },
  );
}

function deliveryRoutes(app: App, context: Context): void {
  app.get(
    "/webhooks/deliveries",
    {
      config: { permission: "deliveries:read" },
      schema: { querystring: DeliveryQuery, response: { 200: DeliveryList } },
    },
    (request) => listDeliveries(context, actorOf(request).accountId, request.query),
  );
  app.get(
    "/webhooks/deliveries/:id",
    {
      config: { permission: "deliveries:read", extension: true },
      schema: { params, response: { 200: DeliveryDetail } },
    },
    (request) => getDelivery(context, actorOf(request).accountId, request.params.id),
  );
  app.post(
    "/webhooks/deliveries/:id/retry",
    {
      config: { permission: "deliveries:retry", idempotent: true },
      schema: { params, response: { 202: Delivery } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      return sendOnce(context, request, reply, caller.actor, async () => {
        const retry = await retryDelivery(context, caller, request.params.id);
        return { status: 202, headers: { location: `/v1/webhooks/deliveries/${retry.id}` }, body: retry };
      });
    },
  );
  app.post(
    "/webhooks/deliveries/retry",
    {
      config: { permission: "deliveries:retry", extension: true },
      schema: { body: BulkRetry, response: { 200: BulkRetryResult } },
    },
    (request) => retryDeliveries(context, callerOf(request, actorOf(request)), request.body),
  );
}
