"use server";

import type { Delivery } from "#contract/webhook.ts";
import type { Acting } from "@/lib/gateway/result";
import { retryDelivery } from "@/lib/server/gateway/webhooks";

/** Retries one delivery; returns the new delivery (or the one that an earlier click created). */
export async function resendDelivery(id: string): Acting<Delivery> {
  return { answer: retryDelivery(id) };
}
