import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, inArray, isNotNull, sql } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries as deliveries } from "#gateway/platform/database/schema.ts";

/**
 * Undelivered events of a disabled endpoint get the status `waiting`: they leave the queue, so that they cost
 * the workers nothing. A delivery whose attempt is in flight waits too, and keeps its lease until the attempt
 * ends: after a success it is delivered, after a failure it keeps waiting. A delivery being written at this
 * moment is left to the sweep.
 */
export async function holdDeliveries(queries: Queries, endpointId: string): Promise<void> {
  const due = queries
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.endpointId, endpointId),
        inArray(deliveries.status, ["pending", "failed"]),
        isNotNull(deliveries.nextAttemptAt),
      ),
    )
    .for("update", { skipLocked: true });
  await queries
    .update(deliveries)
    .set({ status: "waiting", nextAttemptAt: null })
    .where(inArray(deliveries.id, due));
}

/** Sends an endpoint's waiting deliveries, oldest first, or drops them. Returns their number. */
export async function resumeDeliveries(
  queries: Queries,
  endpointId: string,
  action: "send" | "drop",
): Promise<number> {
  const changed = await queries
    .update(deliveries)
    .set(action === "send" ? backInQueue : { status: "canceled" })
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.status, "waiting")));
  return changed.rowCount ?? 0;
}

const backInQueue = {
  status: sql`case when attempts > 0 then 'failed' else 'pending' end`,
  nextAttemptAt: sql`created_at`,
};

/** The number of waiting deliveries of each of these endpoints. */
export async function countWaiting(queries: Queries, endpointIds: string[]): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await queries
    .select({ endpointId: deliveries.endpointId, waiting: count() })
    .from(deliveries)
    .where(and(inArray(deliveries.endpointId, endpointIds), eq(deliveries.status, "waiting")))
    .groupBy(deliveries.endpointId);
  return new Map(rows.map(({ endpointId, waiting }) => [endpointId, waiting]));
}

/** Counting stops at this number, because a console page reads the count again and again. */
const maxCounted = 10_000;

/** The number of due deliveries of each of these endpoints, up to 10,000. */
export async function countDue(queries: Queries, endpointIds: string[]): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const { rows } = await queries.execute<{ id: string; due: number }>(sql`
    select e.id, (select count(*)::int from (
      select from webhook_deliveries where endpoint_id = e.id and status in ('pending', 'failed')
        and next_attempt_at <= now() limit ${maxCounted}) as d) as due
    from unnest(${sql.param(endpointIds)}::text[]) as e (id)`);
  return new Map(rows.map(({ id, due }) => [id, due]));
}

/*
 * Corrects deliveries that a concurrent transaction wrote while their endpoint was enabled or disabled (a
 * saved result, an emitted event). Locks the endpoints until the deliveries are corrected.
 */
export const waitingSweepSql = [
  `with stopped as (
     select id from webhook_endpoints where status <> 'enabled' and deleted_at is null order by id for share
   ),
   late as (
     select d.id from stopped s cross join lateral (
       select id from webhook_deliveries
       where endpoint_id = s.id and status in ('pending', 'failed') and next_attempt_at is not null
       for update skip locked
     ) d
   )
   update webhook_deliveries d set status = 'waiting', next_attempt_at = null from late where d.id = late.id`,
  `update webhook_deliveries d
   set status = case when d.attempts > 0 then 'failed' else 'pending' end, next_attempt_at = d.created_at
   from webhook_endpoints e
   where d.status = 'waiting' and e.id = d.endpoint_id and e.status = 'enabled' and e.deleted_at is null`,
];
