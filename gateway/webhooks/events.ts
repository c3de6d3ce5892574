import { and, arrayContains, eq, isNotNull, isNull } from "drizzle-orm";
import { newId } from "#contract/ids.ts";
import type { EventType } from "#contract/webhook.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Queries } from "#gateway/database/database.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "#gateway/database/schema.ts";
import { newDelivery } from "./deliveries/new-delivery.ts";

/** The NOTIFY channel that wakes the delivery workers; notify it after the commit. */
export const deliveriesChannel = "deliveries";
/** The NOTIFY channel of new events; the payload is the account's id. */
export const eventsChannel = "webhook_events";

export interface NewEvent {
  accountId: string;
  type: EventType;
  /**
   * The event of a prediction, batch, response or budget goes to every endpoint that subscribes to its type, an endpoint's own event to
   * that endpoint.
   */
  subject:
    | { predictionId: string }
    | { batchId: string }
    | { responseId: string }
    | { budgetOf: string }
    | { endpointId: string };
  /** `data.object` of the body. */
  object: object;
  /** Set for an event that may happen once: a second event with this key is not written. */
  once?: string;
  /** When the body is removed. */
  retentionUntil: Date;
  /** Where its trace goes on. */
  traceParent?: string | null;
}

export interface EmittedEvent {
  id: string;
  deliveryIds: string[];
}

/**
 * Writes an event, its bytes frozen, and a delivery for each receiving endpoint, in the caller's transaction.
 * For a disabled endpoint the delivery waits. Returns null when `once` was already emitted.
 * After the commit call `database.notify(deliveriesChannel)` and `database.notify(eventsChannel, accountId)`.
 */
export async function emitEvent(queries: Queries, event: NewEvent): Promise<EmittedEvent | null> {
  const { accountId, type, subject, object } = event;
  const id = newId("event");
  const createdAt = clock.date();
  const predictionId = "predictionId" in subject ? subject.predictionId : null;
  const inserted = await queries
    .insert(webhookEvents)
    .values({
      id,
      accountId,
      type,
      predictionId,
      onceKey: event.once ?? null,
      body: eventBody({ id, type, accountId, createdAt, object }),
      createdAt,
      payloadExpiresAt: event.retentionUntil,
      traceParent: event.traceParent ?? null,
    })
    .onConflictDoNothing({ target: webhookEvents.onceKey, where: isNotNull(webhookEvents.onceKey) })
    .returning({ id: webhookEvents.id });
  if (inserted.length === 0) return null;
  const endpoints = await queries
    .select({ id: webhookEndpoints.id, url: webhookEndpoints.url, status: webhookEndpoints.status })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.accountId, accountId),
        isNull(webhookEndpoints.deletedAt),
        "endpointId" in subject
          ? eq(webhookEndpoints.id, subject.endpointId)
          : arrayContains(webhookEndpoints.events, [type]),
      ),
    );
  const deliveries = endpoints.map((endpoint) =>
    newDelivery({
      accountId,
      eventId: id,
      eventType: type,
      predictionId,
      endpointId: endpoint.id,
      url: endpoint.url,
      trigger: "endpointId" in subject ? "test" : "automatic",
      waits: endpoint.status !== "enabled",
    }),
  );
  if (deliveries.length > 0) await queries.insert(webhookDeliveries).values(deliveries);
  return { id, deliveryIds: deliveries.map((delivery) => delivery.id) };
}

/** The bytes that every attempt of every delivery sends. */
export function eventBody(event: {
  id: string;
  type: EventType;
  accountId: string;
  createdAt: Date;
  object: object;
}): string {
  return JSON.stringify({
    id: event.id,
    object: "event",
    type: event.type,
    api_version: "v1",
    created: event.createdAt.toISOString(),
    account: event.accountId,
    data: { object: event.object },
  });
}
