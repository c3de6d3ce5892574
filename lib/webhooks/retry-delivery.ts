import type { Delivery } from "#contract/webhook.ts";
import { callGateway } from "../browser/gateway.ts";

/** Sends one delivery's event again; answers with the new delivery (or the one that an earlier click made). */
export function retryDeliveryById(id: string) {
  return callGateway<Delivery>(`/webhooks/deliveries/${encodeURIComponent(id)}/retry`, { method: "POST" });
}
