import { firstIdAt } from "#contract/ids.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import type { webhookResends } from "#gateway/platform/database/schema.ts";

export type ResendRow = typeof webhookResends.$inferSelect;
export type Selection = Pick<
  ResendRow,
  "accountId" | "endpointId" | "include" | "types" | "until" | "afterId"
>;

/** The starting position of a run over the events since this time. */
export function beginningAt(since: Date): string {
  return firstIdAt("delivery", since.getTime());
}

/** The first delivery to this endpoint of each event in the time range, ordered by time. */
function firstDeliveries({ accountId, endpointId, types, until, afterId }: Selection): SQL {
  return sql`
    select id, event_id from webhook_delivery_keys
    where account_id = ${accountId} and endpoint_id = ${endpointId} and trigger = 'automatic'
      and id > ${afterId} and id < ${firstIdAt("delivery", until.getTime() + 1)}
      and (${sql.param(types)}::text[] is null or event_type = any (${sql.param(types)}::text[]))
    order by id`;
}

/**
 * Whether an event is to be resent: not if it is still being sent or waits, and, if only missed events are
 * wanted, not if it was ever accepted.
 */
function wanted({ include, endpointId }: Selection): SQL {
  const [open, accepted] = ["open", "accepted"];
  return sql`
    cross join lateral (
      select
        coalesce(bool_or(d.status in ('pending', 'waiting') or d.status = 'failed' and d.next_attempt_at is not null), false)
          as ${sql.identifier(open)},
        coalesce(bool_or(d.status = 'delivered'), false) as ${sql.identifier(accepted)}
      from webhook_delivery_keys s join webhook_deliveries d on d.id = s.id
      where s.event_id = k.event_id and s.endpoint_id = ${endpointId}
    ) as state
    cross join lateral (
      select not state.open and (${include === "all"} or not state.accepted) as wanted, v.body is not null as kept
      from webhook_events v where v.id = k.event_id
    ) as event`;
}

export interface Counted {
  total: number;
  gone: number;
}

/** The number of events to resend, and of those that cannot be resent because their payload was removed. */
export async function countEvents(queries: Queries, selection: Selection): Promise<Counted> {
  const { rows } = await queries.execute<{ total: number; gone: number }>(sql`
    select count(*) filter (where kept)::int as total, count(*) filter (where not kept)::int as gone
    from (${firstDeliveries(selection)}) as k ${wanted(selection)} where wanted`);
  return rows[0] ?? { total: 0, gone: 0 };
}

export interface Candidate {
  id: string;
  wanted: boolean;
  kept: boolean;
}

/** The next events in the time range, including those that are not to be resent. */
export async function nextEvents(
  queries: Queries,
  selection: Selection,
  limit: number,
): Promise<Candidate[]> {
  const { rows } = await queries.execute<{ id: string; wanted: boolean; kept: boolean }>(sql`
    select k.id, wanted, kept from (${firstDeliveries(selection)} limit ${limit}) as k ${wanted(selection)}
    order by k.id`);
  return rows;
}
