"use server";

import type { Delivery } from "#contract/webhook.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Retries one delivery; returns the new delivery (or the one that an earlier click created). */
export async function resendDelivery(id: string): ActionResult<Delivery> {
  return { answer: requestRoute("POST /webhooks/deliveries/{id}/retry", { params: { id } }) };
}
