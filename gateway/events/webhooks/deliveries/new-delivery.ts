import { newId, timeOfId } from "#contract/ids.ts";
import type { DeliveryTrigger } from "#contract/webhook.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";

interface DeliveryOf {
  accountId: string;
  eventId: string;
  eventType: string;
  predictionId: string | null;
  endpointId: string;
  url: string;
  trigger: DeliveryTrigger;
  retryOf?: string;
  /** Set if its endpoint is disabled. */
  waits?: boolean;
}

/**
 * The row of a delivery, due at once unless it waits. Its creation time is that of its id, so that lists by
 * time and by id have the same order.
 */
export function newDelivery({ waits = false, ...delivery }: DeliveryOf) {
  const id = newId("delivery");
  const state = waits
    ? { status: "waiting", nextAttemptAt: null }
    : { status: "pending", nextAttemptAt: sql`now()` };
  return { ...delivery, ...state, id, createdAt: new Date(timeOfId(id)) };
}
