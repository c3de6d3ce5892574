"use server";

import type { Deleted } from "#contract/list.ts";
import type {
  Delivery,
  Endpoint,
  EndpointCreate,
  EndpointUpdate,
  EndpointWithSecret,
} from "#contract/webhook.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Only this answer contains the secret: the caller shows it and does not store it. */
export async function addEndpoint(body: EndpointCreate): ActionResult<EndpointWithSecret> {
  return { answer: requestRoute("POST /webhooks/endpoints", { body }) };
}

export async function changeEndpoint(id: string, body: EndpointUpdate): ActionResult<Endpoint> {
  return { answer: requestRoute("PATCH /webhooks/endpoints/{id}", { params: { id }, body }) };
}

export async function removeEndpoint(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /webhooks/endpoints/{id}", { params: { id } }) };
}

/** As with `addEndpoint`, only this answer contains the new secret. */
export async function rotateSecret(id: string, overlapSeconds: number): ActionResult<EndpointWithSecret> {
  return {
    answer: requestRoute("POST /webhooks/endpoints/{id}/rotate_secret", {
      params: { id },
      body: { overlap_seconds: overlapSeconds },
    }),
  };
}

export async function sendTestEvent(id: string): ActionResult<Delivery> {
  return { answer: requestRoute("POST /webhooks/endpoints/{id}/test", { params: { id } }) };
}
