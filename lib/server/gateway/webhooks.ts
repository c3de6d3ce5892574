import "server-only";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import type {
  Delivery,
  DeliveryDetail,
  Endpoint,
  EndpointCreate,
  EndpointUpdate,
  EndpointWithSecret,
  RotateSecret,
} from "#contract/webhook.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import type { StoryDoor } from "../../webhooks/delivery-story.ts";
import type { FilterText } from "../../webhooks/delivery-view.ts";
import { requestRoute } from "./request.ts";
import type { Filter } from "./send.ts";

export function listEndpoints(query: Filter<PageQuery> = {}): Promise<GatewayResult<List<Endpoint>>> {
  return requestRoute("GET /webhooks/endpoints", { query });
}

export function getEndpoint(id: string): Promise<GatewayResult<Endpoint>> {
  return requestRoute("GET /webhooks/endpoints/{id}", { params: { id } });
}

/** Only this answer has the signing secret: pass it to its dialog and store it nowhere. */
export function createEndpoint(body: EndpointCreate): Promise<GatewayResult<EndpointWithSecret>> {
  return requestRoute("POST /webhooks/endpoints", { body });
}

export function updateEndpoint(id: string, body: EndpointUpdate): Promise<GatewayResult<Endpoint>> {
  return requestRoute("PATCH /webhooks/endpoints/{id}", { params: { id }, body });
}

export function deleteEndpoint(id: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /webhooks/endpoints/{id}", { params: { id } });
}

/** Only this answer has the new signing secret. */
export function rotateEndpointSecret(
  id: string,
  body: RotateSecret = {},
): Promise<GatewayResult<EndpointWithSecret>> {
  return requestRoute("POST /webhooks/endpoints/{id}/rotate_secret", { params: { id }, body });
}

export function testEndpoint(id: string): Promise<GatewayResult<Delivery>> {
  return requestRoute("POST /webhooks/endpoints/{id}/test", { params: { id } });
}

export function listDeliveries(
  query: Filter<FilterText & PageQuery> = {},
): Promise<GatewayResult<List<Delivery>>> {
  return requestRoute("GET /webhooks/deliveries", { query });
}

export function getDelivery(id: string): Promise<GatewayResult<DeliveryDetail>> {
  return requestRoute("GET /webhooks/deliveries/{id}", { params: { id } });
}

export function retryDelivery(id: string): Promise<GatewayResult<Delivery>> {
  return requestRoute("POST /webhooks/deliveries/{id}/retry", { params: { id } });
}

/** A delivery's history, read on the server. */
export const serverStoryDoor: StoryDoor = { one: getDelivery, list: listDeliveries };
