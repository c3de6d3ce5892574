import { sql } from "drizzle-orm";
import { decodeTime } from "ulid";
import { newId } from "#contract/ids.ts";
import type { DeliveryTrigger } from "#contract/webhook.ts";

interface DeliveryOf {
  accountId: string;
  eventId: string;
  eventType: string;
  predictionId: string | null;
  endpointId: string;
  url: string;
  trigger: DeliveryTrigger;
  retryOf?: string;
}

/** The row of a delivery that is due at once. Its creation time is the one in its id, so that both sort alike. */
export function newDelivery(delivery: DeliveryOf) {
  const id = newId("delivery");
  return { ...delivery, id, status: "pending", createdAt: timeOfId(id), nextAttemptAt: sql`now()` };
}

/** The creation time inside an id. */
export function timeOfId(id: string): Date {
  return new Date(decodeTime(id.slice(id.indexOf("_") + 1).toUpperCase()));
}
