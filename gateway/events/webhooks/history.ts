import { firstIdAt, timeOfId } from "#contract/ids.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { agedPartitionSweep } from "#gateway/platform/database/partition-sweep.ts";
import { attemptDays } from "#gateway/platform/database/partitions.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import type { WebhookContext } from "./webhook-context.ts";

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

export const webhookHistorySweep: Sweep = {
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
