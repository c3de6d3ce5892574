import { newId, timeOfId } from "#contract/ids.ts";
import type { DeliveryTrigger, EventType } from "#contract/webhook.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { executePrepared } from "#gateway/platform/database/prepared.ts";
import { webhookDeliveries, webhookEvents } from "#gateway/platform/database/schema.ts";
import { isListed } from "#gateway/platform/database/tables/webhooks.ts";
import { type EventSource, passesFilters } from "./endpoints/read.ts";

/** The NOTIFY channel that wakes the delivery workers; notify it after the commit. */
export const deliveriesChannel = "deliveries";
/** The NOTIFY channel of new events; the payload is the account's id. */
export const eventsChannel = "webhook_events";

export interface NewEvent {
  accountId: string;
  type: EventType;
  /**
   * The event of a prediction, batch, response, budget or notice is sent to every endpoint that subscribes to
   * its type; a test only to its endpoint; an event about an endpoint to all others that subscribe to it.
   */
  subject:
    | { predictionId: string }
    | { batchId: string }
    | { responseId: string }
    | { budgetOf: string }
    | { noticeOf: string }
    | { endpointId: string }
    | { aboutEndpoint: string };
  /** The run's model and key, because an endpoint can be limited to the events of some models or keys. */
  source?: EventSource;
  /** `data.object` of the body. */
  object: object;
  /** Set for an event that must be sent only once: a second event with this key is not written. */
  once?: string;
  /** When the body is removed. */
  retentionUntil: Date;
  /** The trace to continue. */
  traceParent?: string | null;
}

export interface EmittedEvent {
  id: string;
  deliveryIds: string[];
}

/** Rows per statement: an event may have as many deliveries as its account has endpoints. */
const maxRows = 1000;

/**
 * Writes an event with its final bytes, and a delivery for each receiving endpoint, in the caller's
 * transaction. For a paused or disabled endpoint the delivery waits. Returns null if `once` was already
 * emitted. After the commit call `database.notify(deliveriesChannel)` and `database.notify(eventsChannel,
 * accountId)`.
 */
export async function emitEvent(queries: Queries, event: NewEvent): Promise<EmittedEvent | null> {
  const [emitted] = await emitEvents(queries, [event]);
  return emitted ?? null;
}

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

/** Writes several events as `emitEvent` does. Events whose `once` was already emitted are left out. */
export async function emitEvents(queries: Queries, events: readonly NewEvent[]): Promise<EmittedEvent[]> {
  if (events.length === 0) return [];
  const made = events.map((event) => ({ event, row: eventRow(event) }));
  const { inserted, endpoints } = await insertEvents(queries, made);
  const fresh = made.filter(({ row }) => inserted.has(row.id));
  const emitted = fresh.map(({ event, row }) => ({
    id: row.id,
    deliveries: endpoints
      .filter((endpoint) => isReceiver(endpoint, event))
      .map((endpoint) =>
        newDelivery({
          accountId: event.accountId,
          eventId: row.id,
          eventType: event.type,
          predictionId: row.predictionId,
          endpointId: endpoint.id,
          url: endpoint.url,
          trigger: "endpointId" in event.subject ? "test" : "automatic",
          waits: endpoint.status !== "enabled",
        }),
      ),
  }));
  const deliveries = emitted.flatMap((one) => one.deliveries);
  for (let at = 0; at < deliveries.length; at += maxRows)
    await queries.insert(webhookDeliveries).values(deliveries.slice(at, at + maxRows));
  return emitted.map((one) => ({ id: one.id, deliveryIds: one.deliveries.map(({ id }) => id) }));
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

/** An event for a single receiver, the one of a callback. */
interface EventFor {
  accountId: string;
  type: string;
  predictionId: string | null;
  object: object;
  once: string;
  retentionUntil: Date;
  traceParent: string | null;
  receiver: string;
  /** True if the body is an event around the object; false if it is only the object. */
  isEnvelope: boolean;
}

/** Writes an event that only `receiver` gets, and returns its id; null if `once` was already written. */
export async function insertEventFor(queries: Queries, event: EventFor): Promise<string | null> {
  const { accountId, type, predictionId, object, once, retentionUntil, traceParent, receiver } = event;
  const id = newId("event");
  const createdAt = clock.date();
  const [row] = await queries
    .insert(webhookEvents)
    .values({
      ...{ id, accountId, type, predictionId, createdAt, traceParent, receiver, onceKey: once },
      body: event.isEnvelope ? eventBody({ id, type, accountId, createdAt, object }) : JSON.stringify(object),
      payloadExpiresAt: retentionUntil,
    })
    .onConflictDoNothing({ target: webhookEvents.onceKey, where: isNotNull(webhookEvents.onceKey) })
    .returning({ id: webhookEvents.id });
  return row?.id ?? null;
}

function eventRow({ accountId, type, subject, object, once, retentionUntil, traceParent }: NewEvent) {
  const id = newId("event");
  const createdAt = clock.date();
  return {
    id,
    accountId,
    type,
    predictionId: "predictionId" in subject ? subject.predictionId : null,
    onceKey: once ?? null,
    body: eventBody({ id, type, accountId, createdAt, object }),
    createdAt,
    payloadExpiresAt: retentionUntil,
    traceParent: traceParent ?? null,
  };
}

interface Candidate {
  id: string;
  accountId: string;
  url: string;
  status: string;
  events: string[];
  models: string[] | null;
  keyIds: string[] | null;
}

/**
 * Writes the rows of events, and finds the endpoints that may receive any of them. It is one statement with a
 * list per column, because every settled run waits for it: two statements with a parameter per value took a
 * tenth of the time to settle a run. The prepared plan may be older than the endpoints, until PostgreSQL
 * analyzes their table, which it does within minutes.
 */
async function insertEvents(
  queries: Queries,
  made: readonly { event: NewEvent; row: ReturnType<typeof eventRow> }[],
): Promise<{ inserted: Set<string>; endpoints: Candidate[] }> {
  const list = (values: readonly (string | null)[], type = "text") =>
    sql`${sql.param(values)}::${sql.raw(type)}[]`;
  const column = (of: (row: ReturnType<typeof eventRow>) => string | null, type?: string) =>
    list(
      made.map(({ row }) => of(row)),
      type,
    );
  const tested = made.flatMap(({ event: { subject } }) =>
    "endpointId" in subject ? subject.endpointId : [],
  );
  const { rows } = await executePrepared(
    queries,
    sql`
    with inserted as (
      insert into webhook_events (id, account_id, type, prediction_id, once_key, body, created_at, payload_expires_at, trace_parent)
      select * from unnest(${column((row) => row.id)}, ${column((row) => row.accountId)}, ${column((row) => row.type)},
        ${column((row) => row.predictionId)}, ${column((row) => row.onceKey)}, ${column((row) => row.body)},
        ${column((row) => row.createdAt.toISOString(), "timestamptz")},
        ${column((row) => row.payloadExpiresAt.toISOString(), "timestamptz")}, ${column((row) => row.traceParent)})
      on conflict (once_key) where once_key is not null do nothing
      returning id
    )
    select id as event, null as id, null as "accountId", null as url, null as status, null::text[] as events,
      null::text[] as models, null::text[] as "keyIds" from inserted
    union all
    select null, id, account_id, url, status, events, models, key_ids from webhook_endpoints
    where account_id = any (${list([...new Set(made.map(({ row }) => row.accountId))])}) and ${sql.raw(isListed())}
      and ${tested.length > 0 ? sql`id = any (${list(tested)})` : sql`events && ${list([...new Set(made.map(({ row }) => row.type))])}`}`,
  );
  const answers = rows as unknown as ({ event: string } | ({ event: null } & Candidate))[];
  return {
    inserted: new Set(answers.flatMap(({ event }) => event ?? [])),
    endpoints: answers.filter((answer) => answer.event === null),
  };
}

function isReceiver(endpoint: Candidate, { accountId, type, subject, source }: NewEvent): boolean {
  if (endpoint.accountId !== accountId) return false;
  if ("endpointId" in subject) return endpoint.id === subject.endpointId;
  if ("aboutEndpoint" in subject && endpoint.id === subject.aboutEndpoint) return false;
  return endpoint.events.includes(type) && passesFilters(endpoint, source);
}

/** The bytes that every attempt of every delivery sends. */
export function eventBody(event: {
  id: string;
  type: string;
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
