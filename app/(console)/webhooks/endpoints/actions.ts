"use server";

import type { Deleted } from "#contract/list.ts";
import type { Endpoint, EndpointCreate, EndpointUpdate, EndpointWithSecret } from "#contract/webhook.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import {
  createEndpoint,
  deleteEndpoint,
  rotateEndpointSecret,
  testEndpoint,
  updateEndpoint,
} from "@/lib/server/gateway/webhooks";

/** The response is the only one that contains the secret: the caller shows it and does not store it. */
export async function addEndpoint(body: EndpointCreate): Promise<GatewayResult<EndpointWithSecret>> {
  return createEndpoint(body);
}

export async function changeEndpoint(id: string, body: EndpointUpdate): Promise<GatewayResult<Endpoint>> {
  return updateEndpoint(id, body);
}

export async function removeEndpoint(id: string): Promise<GatewayResult<Deleted>> {
  return deleteEndpoint(id);
}

/** As `addEndpoint`: the new secret comes in this answer only. */
export async function rotateSecret(
  id: string,
  overlapSeconds: number,
): Promise<GatewayResult<EndpointWithSecret>> {
  return rotateEndpointSecret(id, { overlap_seconds: overlapSeconds });
}

export async function sendTestEvent(id: string) {
  return testEndpoint(id);
}
