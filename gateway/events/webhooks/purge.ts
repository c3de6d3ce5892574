import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { waitingSweepSql } from "./endpoints/waiting.ts";
import { emitExhausted } from "./news/exhausted.ts";
import { notifyOfEvents } from "./news/tell.ts";
import type { WebhookContext } from "./webhook-context.ts";

const payloadsAtOnce = 1000;

/*
 * Without its payload a delivery can no longer be sent, so an unsent one becomes a dead letter. Receivers'
 * answers can repeat the payload, so they are removed as well.
 */
const purgeSql = sql`
with expired as (
  select id from webhook_events where body is not null and payload_expires_at <= now()
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

/** Corrects deliveries of endpoints that were deleted, enabled or disabled while an event was emitted. */
const strayDeliveriesSql = [
  `update webhook_deliveries d set status = 'canceled', next_attempt_at = null, lease_owner = null,
     lease_expires_at = null
   from webhook_endpoints e
   where e.id = d.endpoint_id and e.deleted_at is not null
     and (d.status = 'waiting' or d.status in ('pending', 'failed') and d.next_attempt_at is not null)`,
  ...waitingSweepSql,
];

/** Removes a batch of payloads whose retention has ended; returns true if more may be due. */
async function purgePayloads(context: WebhookContext): Promise<boolean> {
  const { database, log, config } = context;
  const { purged, told } = await database.transaction(async (queries) => {
    const { rows } = await queries.execute<{ events: number; deliveries: string[]; dead: string[] }>(
      purgeSql,
    );
    const { events, deliveries, dead } = rows[0] ?? { events: 0, deliveries: [], dead: [] };
    // Lists the ids instead of a join, so that only the partitions of these deliveries are searched.
    await queries.execute(sql`
      update webhook_attempts set response_body = null, response_headers = null
      where delivery_id = any (${sql.param(deliveries)})`);
    return { purged: events, told: await emitExhausted(queries, dead, config.retentionMs) };
  });
  if (told.size > 0) notifyOfEvents(context, told);
  if (purged > 0) log.info({ events: purged }, "webhooks: payloads removed after their retention period");
  return purged === payloadsAtOnce;
}

export const webhookPayloadSweep: Sweep = {
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

/** Deletes old secrets whose overlap has ended. */
export const webhookSecretSweep = rowSweep({
  kind: "webhook_secrets",
  table: "webhook_secrets",
  dueAt: "expires_at",
});
