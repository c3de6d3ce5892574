"use server";

import type { ApiKey } from "#contract/accounts/keys.ts";
import type { List } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import type { Resend } from "#contract/resends.ts";
import type { Delivery } from "#contract/webhook.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Retries one delivery; returns the new delivery (or the one that an earlier click created). */
export async function retryFailedDelivery(id: string): ActionResult<Delivery> {
  return { answer: requestRoute("POST /webhooks/deliveries/{id}/retry", { params: { id } }) };
}

/** Sends a delivered event again, once per key; returns the new delivery. */
export async function resendDelivered(id: string, key: string): ActionResult<Delivery> {
  const headers = { "idempotency-key": key };
  return { answer: requestRoute("POST /webhooks/deliveries/{id}/resend", { params: { id }, headers }) };
}

export async function stopResend(id: string): ActionResult<Resend> {
  return { answer: requestRoute("POST /webhooks/resends/{id}/stop", { params: { id } }) };
}

/** The keys to choose from in an endpoint's filter. */
export async function listKeysForFilter(): ActionResult<List<ApiKey>> {
  return { answer: requestRoute("GET /keys", { query: { limit: pageLimit.max } }) };
}
