import { and, arrayContains, eq, isNull } from "drizzle-orm";
import { newId } from "#contract/ids.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { EventType } from "#contract/webhook.ts";
import type { Queries } from "#gateway/database/database.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "#gateway/database/schema.ts";
import { newDelivery } from "./deliveries/new-delivery.ts";

/** The NOTIFY channel that wakes the delivery workers; notify it after the commit. */
export const deliveriesChannel = "deliveries";
/** The NOTIFY channel of new events; the payload is the account's id. */
export const eventsChannel = "webhook_events";

export interface PredictionEvent {
  accountId: string;
  predictionId: string;
  type: Exclude<EventType, "endpoint.test">;
  /** The prediction as GET returns it; its input is left out of the event. */
  predictionObject: Prediction;
  /** When outputs are removed, the body of the event is too. */
  retentionUntil: Date;
}

export interface EmittedEvent {
  id: string;
  deliveries: number;
}

/**
 * Writes the one terminal event of a prediction, with its bytes frozen, and a delivery for each enabled endpoint that
 * subscribes to it, in the caller's transaction. Null when the prediction has its event already.
 * After the commit call `database.notify(deliveriesChannel)` and `database.notify(eventsChannel, accountId)`.
 */
export async function emitPredictionEvent(
  queries: Queries,
  event: PredictionEvent,
): Promise<EmittedEvent | null> {
  const id = newId("event");
  const createdAt = new Date();
  const { input: _, ...object } = event.predictionObject;
  const inserted = await queries
    .insert(webhookEvents)
    .values({
      id,
      accountId: event.accountId,
      type: event.type,
      predictionId: event.predictionId,
      body: eventBody({ id, type: event.type, accountId: event.accountId, createdAt, object }),
      createdAt,
      payloadExpiresAt: event.retentionUntil,
    })
    .onConflictDoNothing()
    .returning({ id: webhookEvents.id });
  if (inserted.length === 0) return null;
  const endpoints = await queries
    .select({ id: webhookEndpoints.id, url: webhookEndpoints.url })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.accountId, event.accountId),
        eq(webhookEndpoints.status, "enabled"),
        isNull(webhookEndpoints.deletedAt),
        arrayContains(webhookEndpoints.events, [event.type]),
      ),
    );
  if (endpoints.length > 0)
    await queries.insert(webhookDeliveries).values(
      endpoints.map((endpoint) =>
        newDelivery({
          accountId: event.accountId,
          eventId: id,
          eventType: event.type,
          predictionId: event.predictionId,
          endpointId: endpoint.id,
          url: endpoint.url,
          trigger: "automatic",
        }),
      ),
    );
  return { id, deliveries: endpoints.length };
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
