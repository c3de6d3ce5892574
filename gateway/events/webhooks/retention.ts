import { firstIdAt, timeOfId } from "#contract/ids.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { agedPartitionSweep, attemptDays } from "#gateway/platform/database/partitions.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import {
  accountDeletions,
  accounts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "#gateway/platform/database/schema.ts";
import { allowsHost, isThere } from "#gateway/platform/database/tables/webhooks.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import type { AttemptResult } from "./deliver/attempt-result.ts";
import { startRetries } from "./deliveries/retry.ts";
import { waitingSweepSql } from "./endpoints/read.ts";
import { deliveriesChannel } from "./events.ts";
import { emitExhausted, notifyOfEvents } from "./news.ts";
import type { WebhookContext } from "./webhook-context.ts";

const payloadsAtOnce = 1000;

/*
 * Without its payload a delivery can no longer be sent, so an unsent one becomes a dead letter. Receivers'
 * answers can repeat the payload, so they are removed as well.
 */
const purgeSql = (which: SQL) => sql`
with expired as (
  select id from webhook_events e where body is not null and ${which}
  order by payload_expires_at limit ${payloadsAtOnce} for update skip locked
),
events as (
  update webhook_events e set body = null from expired where e.id = expired.id returning e.id
),
keys as (
  select k.id from events join webhook_delivery_keys k on k.event_id = events.id
),
waiting as (
  update webhook_deliveries d set status = 'dead-letter', next_attempt_at = null, lease_owner = null,
    lease_expires_at = null,
    last_error = case when d.retried_as is null then 'payload_expired' else d.last_error end
  from keys where d.id = keys.id and d.status in ('pending', 'waiting', 'failed')
  returning d.id
)
select (select count(*)::int from events) as events, array(select id from keys) as deliveries,
  array(select id from waiting) as dead`;

/** Nothing of the event is still to be sent. */
const isOver = sql`not exists (
  select from webhook_delivery_keys k join webhook_deliveries d on d.id = k.id where k.event_id = e.id
    and (d.status in ('pending', 'waiting') or d.status = 'failed' and d.next_attempt_at is not null))`;

/** Corrects deliveries of endpoints that were deleted, enabled or disabled while an event was emitted. */
const strayDeliveriesSql = [
  `update webhook_deliveries d set status = 'canceled', next_attempt_at = null, lease_owner = null,
     lease_expires_at = null
   from webhook_endpoints e
   where e.id = d.endpoint_id and not ${isThere("e")}
     and (d.status = 'waiting' or d.status in ('pending', 'failed') and d.next_attempt_at is not null)`,
  ...waitingSweepSql,
];

/** Removes a batch of payloads whose retention has ended; returns true if more may be due. */
function purgePayloads(context: WebhookContext): Promise<boolean> {
  return purge(context, sql`payload_expires_at <= now()`);
}

/**
 * For accounts with a shorter retention: removes the payloads of these events that were delivered everywhere or are
 * dead, with what the receivers answered. One that is not removed here goes when its retention ends.
 */
export async function purgeSent(context: WebhookContext, results: readonly AttemptResult[]): Promise<void> {
  const ended = results.flatMap(({ change, accountId, eventId }) =>
    eventId !== undefined &&
    accountId !== undefined &&
    context.retention.minutesOf(accountId) !== null &&
    (change?.next === "delivered" || change?.next === "dead-letter")
      ? eventId
      : [],
  );
  if (ended.length === 0) return;
  await purge(context, sql`id = any (${sql.param(ended)}) and ${isOver}`).catch((error: unknown) =>
    context.log.warn({ err: error }, "webhooks: payloads that were sent could not be removed yet"),
  );
}

async function purge(context: WebhookContext, which: SQL): Promise<boolean> {
  const { database, log, config } = context;
  const { purged, told } = await database.transaction(async (queries) => {
    const { rows } = await queries.execute<{ events: number; deliveries: string[]; dead: string[] }>(
      purgeSql(which),
    );
    const { events, deliveries, dead } = rows[0] ?? { events: 0, deliveries: [], dead: [] };
    // Lists the ids instead of a join, so that only the partitions of these deliveries are searched.
    await queries.execute(sql`
      update webhook_attempts set response_body = null, response_headers = null
      where delivery_id = any (${sql.param(deliveries)})`);
    return { purged: events, told: await emitExhausted(queries, dead, config.retentionMs) };
  });
  if (told.size > 0) notifyOfEvents(context, told);
  if (purged > 0) log.info({ events: purged }, "webhooks: payloads removed");
  return purged === payloadsAtOnce;
}

export const webhookPayloadSweep: Sweep<WebhookContext> = {
  kind: "webhook_payloads",
  run: purgePayloads,
  oldestDue: () => "select min(payload_expires_at) from webhook_events where body is not null",
};

export const webhookDeliverySweep: Sweep = {
  kind: "webhook_deliveries",
  run: async ({ database }) => {
    for (const statement of strayDeliveriesSql) await database.pool.query(statement);
    return false;
  },
  oldestDue: () => null,
};

const requeuedAtOnce = 500;
/** During an update a process of an earlier release may still cancel callbacks. */
const requeueHours = 1;

/**
 * Sends callbacks again that earlier releases canceled while they waited for the rate of their host or for their next
 * attempt; nothing else cancels a callback. Each is sent again as a new delivery, in one transaction with its mark
 * (`retried_as`).
 */
export const canceledCallbackSweep: Sweep = {
  kind: "canceled_callbacks",
  async run({ database }) {
    const found = await database.transaction(async (queries) => {
      const rows = await queries
        .select({ delivery: webhookDeliveries, host: webhookEndpoints.url })
        .from(webhookDeliveries)
        .innerJoin(
          webhookEndpoints,
          and(
            eq(webhookEndpoints.id, webhookDeliveries.endpointId),
            eq(webhookEndpoints.accountId, webhookDeliveries.accountId),
          ),
        )
        .innerJoin(accounts, eq(accounts.id, webhookEndpoints.accountId))
        .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
        .where(
          and(
            sql`${webhookEndpoints.status} = 'callback' and (${stillToRequeue} or ${webhookEndpoints.requeuedUntil} > now())`,
            sql.raw(allowsHost("webhook_endpoints", "accounts")),
            eq(webhookDeliveries.status, "canceled"),
            isNull(webhookDeliveries.retriedAs),
            isNotNull(webhookEvents.body),
            sql`not exists (select from ${accountDeletions} where ${accountDeletions.accountId} = ${accounts.id})`,
          ),
        )
        .orderBy(asc(webhookDeliveries.id))
        .limit(requeuedAtOnce)
        .for("update", { of: webhookDeliveries, skipLocked: true });
      await startRetries(
        queries,
        rows.map(({ delivery }) => delivery),
        "bulk",
      );
      for (const { delivery, host } of new Map(rows.map((row) => [row.delivery.endpointId, row])).values())
        await recordCause(queries, {
          cause: "callbacks.requeued",
          accountId: delivery.accountId,
          subjectId: delivery.endpointId,
          data: { url: host },
        });
      if (rows.length < requeuedAtOnce)
        await queries
          .update(webhookEndpoints)
          .set({ requeuedUntil: sql`now() + make_interval(hours => ${requeueHours})` })
          .where(sql`${webhookEndpoints.status} = 'callback' and ${stillToRequeue}`);
      return rows.length;
    });
    if (found > 0) database.notify(deliveriesChannel);
    return found === requeuedAtOnce;
  },
  oldestDue: () => null,
};

const stillToRequeue = isNull(webhookEndpoints.requeuedUntil);

/** Deletes old secrets whose overlap has ended. */
export const webhookSecretSweep = rowSweep({
  kind: "webhook_secrets",
  table: "webhook_secrets",
  dueAt: "expires_at",
});

const eventsAtOnce = 500;
const dayMs = 86_400_000;

/*
 * Deletes old events with their deliveries. Their payloads are already removed, so no delivery is waiting:
 * removing a payload ends what could not be sent. A trigger deletes the keys of the deliveries.
 */
const removeSql = `
with old as (
  select id from webhook_events where id < $1 and body is null order by id limit $2 for update skip locked
),
keys as (
  select k.id from old join webhook_delivery_keys k on k.event_id = old.id
),
deliveries as (
  delete from webhook_deliveries d using keys where d.id = keys.id
),
events as (
  delete from webhook_events e using old where e.id = old.id returning e.id
)
select count(*)::int as removed from events`;

async function removeOldEvents({ database, history }: WebhookContext): Promise<boolean> {
  if (history.days === null) return false;
  const floor = firstIdAt("event", clock.now() - history.days * dayMs);
  const { rows } = await database.pool.query<{ removed: number }>(removeSql, [floor, eventsAtOnce]);
  return rows[0]?.removed === eventsAtOnce;
}

export const webhookHistorySweep: Sweep<WebhookContext> = {
  kind: "webhook_history",
  run: removeOldEvents,
  oldestDue: ({ history: { days } }) =>
    days === null
      ? null
      : `select created_at + interval '${days} days' from webhook_events where body is null order by id limit 1`,
};

/** Attempts are deleted after their events. */
export const webhookAttemptSweep = agedPartitionSweep({
  kind: "webhook_attempts",
  table: attemptDays,
  at: "started_at",
  days: ({ history }) => history.days,
  async neededFrom({ database }) {
    const { rows } = await database.pool.query<{ id: string }>(
      "select id from webhook_events order by id limit 1",
    );
    const [oldest] = rows;
    return oldest ? firstIdAt("delivery", timeOfId(oldest.id)) : null;
  },
});

/** An endpoint's health covers the last 24 hours. */
export const endpointHourSweep = rowSweep({
  kind: "endpoint_hours",
  table: "webhook_endpoint_hours",
  dueAt: "hour",
  afterSeconds: 7 * 86_400,
});
