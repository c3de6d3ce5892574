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
import { requestGateway } from "./request.ts";
import type { Filter } from "./send.ts";

const endpoint = (id: string) => `/webhooks/endpoints/${encodeURIComponent(id)}`;
const delivery = (id: string) => `/webhooks/deliveries/${encodeURIComponent(id)}`;

export function listEndpoints(query: Filter<PageQuery> = {}): Promise<GatewayResult<List<Endpoint>>> {
  return requestGateway("/webhooks/endpoints", { query });
}

export function getEndpoint(id: string): Promise<GatewayResult<Endpoint>> {
  return requestGateway(endpoint(id));
}

/** Only this answer has the signing secret: pass it to its dialog and store it nowhere. */
export function createEndpoint(body: EndpointCreate): Promise<GatewayResult<EndpointWithSecret>> {
  return requestGateway("/webhooks/endpoints", { method: "POST", body });
}

export function updateEndpoint(id: string, body: EndpointUpdate): Promise<GatewayResult<Endpoint>> {
  return requestGateway(endpoint(id), { method: "PATCH", body });
}

export function deleteEndpoint(id: string): Promise<GatewayResult<Deleted>> {
  return requestGateway(endpoint(id), { method: "DELETE" });
}

/** Only this answer has the new signing secret. */
export function rotateEndpointSecret(
  id: string,
  body: RotateSecret = {},
): Promise<GatewayResult<EndpointWithSecret>> {
  return requestGateway(`${endpoint(id)}/rotate_secret`, { method: "POST", body });
}

export function testEndpoint(id: string): Promise<GatewayResult<Delivery>> {
  return requestGateway(`${endpoint(id)}/test`, { method: "POST" });
}

export function listDeliveries(
  query: Filter<FilterText & PageQuery> = {},
): Promise<GatewayResult<List<Delivery>>> {
  return requestGateway("/webhooks/deliveries", { query });
}

export function getDelivery(id: string): Promise<GatewayResult<DeliveryDetail>> {
  return requestGateway(delivery(id));
}

export function retryDelivery(id: string): Promise<GatewayResult<Delivery>> {
  return requestGateway(`${delivery(id)}/retry`, { method: "POST" });
}

/** A delivery's history, read on the server. */
export const serverStoryDoor: StoryDoor = { one: getDelivery, list: listDeliveries };
