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
const specified = { scope: "webhooks" } as const;
const extension = { scope: "webhooks", extension: true } as const;

/** Webhook endpoints and the delivery log. */
export function webhookRoutes(app: App, context: Context): void {
  endpointRoutes(app, context);
  deliveryRoutes(app, context);
  listenRoute(app, context);
}

function endpointRoutes(app: App, context: Context): void {
  app.post(
    "/webhooks/endpoints",
    { config: specified, schema: { body: EndpointCreate, response: { 201: EndpointWithSecret } } },
    async (request, reply) => {
      const endpoint = await createEndpoint(context, callerOf(request, actorOf(request)), request.body);
      return reply
        .code(201)
        .header("location", `/v1/webhooks/endpoints/${endpoint.id}`)
        .header("cache-control", "no-store")
        .send(endpoint);
    },
  );
  app.get(
    "/webhooks/endpoints",
    { config: extension, schema: { querystring: PageQuery, response: { 200: EndpointList } } },
    (request) => listEndpoints(context, actorOf(request).accountId, request.query),
  );
  app.get(
    "/webhooks/endpoints/:id",
    { config: extension, schema: { params, response: { 200: Endpoint } } },
    (request) => getEndpoint(context, actorOf(request).accountId, request.params.id),
  );
  app.patch(
    "/webhooks/endpoints/:id",
    { config: extension, schema: { params, body: EndpointUpdate, response: { 200: Endpoint } } },
    (request) =>
      updateEndpoint(context, callerOf(request, actorOf(request)), request.params.id, request.body),
  );
  app.delete(
    "/webhooks/endpoints/:id",
    { config: extension, schema: { params, response: { 200: Deleted } } },
    (request) => deleteEndpoint(context, callerOf(request, actorOf(request)), request.params.id),
  );
  app.post(
    "/webhooks/endpoints/:id/rotate_secret",
    {
      config: extension,
      schema: { params, body: Type.Optional(RotateSecret), response: { 200: EndpointWithSecret } },
    },
    async (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const endpoint = await rotateSecret(context, caller, request.params.id, request.body ?? {});
      return reply.header("cache-control", "no-store").send(endpoint);
    },
  );
  app.post(
    "/webhooks/endpoints/:id/test",
    { config: extension, schema: { params, response: { 202: Delivery } } },
    async (request, reply) =>
      reply.code(202).send(await sendTest(context, callerOf(request, actorOf(request)), request.params.id)),
  );
}

function deliveryRoutes(app: App, context: Context): void {
  app.get(
    "/webhooks/deliveries",
    { config: specified, schema: { querystring: DeliveryQuery, response: { 200: DeliveryList } } },
    (request) => listDeliveries(context, actorOf(request).accountId, request.query),
  );
  app.get(
    "/webhooks/deliveries/:id",
    { config: extension, schema: { params, response: { 200: DeliveryDetail } } },
    (request) => getDelivery(context, actorOf(request).accountId, request.params.id),
  );
  app.post(
    "/webhooks/deliveries/:id/retry",
    { config: specified, schema: { params, response: { 202: Delivery } } },
    async (request, reply) => {
      const retry = await retryDelivery(context, callerOf(request, actorOf(request)), request.params.id);
      return reply.code(202).header("location", `/v1/webhooks/deliveries/${retry.id}`).send(retry);
    },
  );
  app.post(
    "/webhooks/deliveries/retry",
    { config: extension, schema: { body: BulkRetry, response: { 200: BulkRetryResult } } },
    (request) => retryDeliveries(context, callerOf(request, actorOf(request)), request.body),
  );
}
