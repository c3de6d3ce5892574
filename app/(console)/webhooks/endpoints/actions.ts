"use server";

import type { Deleted } from "#contract/list.ts";
import type {
  Delivery,
  Endpoint,
  EndpointCreate,
  EndpointUpdate,
  EndpointWithSecret,
} from "#contract/webhook.ts";
import type { Acting } from "@/lib/gateway/result";
import {
  createEndpoint,
  deleteEndpoint,
  rotateEndpointSecret,
  testEndpoint,
  updateEndpoint,
} from "@/lib/server/gateway/webhooks";

/** The response is the only one that contains the secret: the caller shows it and does not store it. */
export async function addEndpoint(body: EndpointCreate): Acting<EndpointWithSecret> {
  return { answer: createEndpoint(body) };
}

export async function changeEndpoint(id: string, body: EndpointUpdate): Acting<Endpoint> {
  return { answer: updateEndpoint(id, body) };
}

export async function removeEndpoint(id: string): Acting<Deleted> {
  return { answer: deleteEndpoint(id) };
}

/** As `addEndpoint`: the new secret comes in this answer only. */
export async function rotateSecret(id: string, overlapSeconds: number): Acting<EndpointWithSecret> {
  return { answer: rotateEndpointSecret(id, { overlap_seconds: overlapSeconds }) };
}

export async function sendTestEvent(id: string): Acting<Delivery> {
  return { answer: testEndpoint(id) };
}
