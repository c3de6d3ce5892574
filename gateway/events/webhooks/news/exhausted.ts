import { endpointEventTypes } from "#contract/webhook-constants.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, isNull, notInArray } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { isThere } from "../callbacks.ts";
import { deliveryView, receivingEndpoint } from "../deliveries/view.ts";
import { emitEvents } from "../events.ts";

/** Dead letters of these types are not reported: two dead endpoints would report each other for ever. */
const unreported = [...endpointEventTypes, "endpoint.test"];

/**
 * Reports deliveries that became dead letters to the other endpoints, in the same transaction: one
 * `delivery.exhausted` each. Returns the accounts with new events.
 */
export async function emitExhausted(
  queries: Queries,
  deliveryIds: readonly string[],
  retentionMs: number,
): Promise<Set<string>> {
  if (deliveryIds.length === 0) return new Set();
  const rows = await queries
    .select({ delivery: webhookDeliveries, endpoint: receivingEndpoint })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        inArray(webhookDeliveries.id, [...deliveryIds]),
        eq(webhookDeliveries.status, "dead-letter"),
        isNull(webhookDeliveries.retriedAs),
        notInArray(webhookDeliveries.eventType, unreported),
        isThere,
      ),
    );
  const retentionUntil = new Date(clock.now() + retentionMs);
  await emitEvents(
    queries,
    rows.map(({ delivery, endpoint }) => ({
      accountId: delivery.accountId,
      type: "delivery.exhausted" as const,
      subject: { aboutEndpoint: delivery.endpointId },
      object: deliveryView(delivery, endpoint),
      once: `${delivery.id} exhausted`,
      retentionUntil,
    })),
  );
  return new Set(rows.map(({ delivery }) => delivery.accountId));
}
