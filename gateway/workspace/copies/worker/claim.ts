import type { Context } from "#gateway/context.ts";
import { fairShare, fairShareSql } from "#gateway/platform/core/fair-share.ts";
import { instanceId, leaseMs } from "#gateway/platform/core/instance.ts";
import type { InHand } from "#gateway/platform/core/leased-loop.ts";
import { eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { copies, destinations } from "#gateway/platform/database/schema.ts";
import type { DestinationRow } from "../destinations/find.ts";
import type { CopyRow } from "../view.ts";

export interface ClaimedCopy {
  /** With the attempt that begins now in `tries`. */
  copy: CopyRow;
  destination: DestinationRow;
  /** When the attempt before began, if its process died in the middle of it. */
  interruptedAt: Date | null;
}

const leaseSeconds = leaseMs / 1000;
/** Accounts that one claim looks at. */
const maxAccounts = 64;

/*
 * Accounts with work are found by hopping over the index, and each gets its share of the slots: a backlog of one costs the others
 * nothing. The attempt is counted when it begins, so that a file whose copying ends the process is not tried for ever.
 */
const claimSql = `
with recursive waiting as (
  (select account_id from copies where status in ('pending', 'copying') and next_attempt_at is not null
   order by account_id limit 1)
  union all
  select (select c.account_id from copies c
          where c.status in ('pending', 'copying') and c.next_attempt_at is not null and c.account_id > w.account_id
          order by c.account_id limit 1)
  from waiting w where w.account_id is not null
),
open_accounts as (
  select account_id, least(coalesce(b.room, $1), ${fairShareSql("$1")}) as room
  from (
    select w.account_id from waiting w
    cross join lateral (
      select from copies c
      where c.account_id = w.account_id and c.status in ('pending', 'copying') and c.next_attempt_at <= now()
        and (c.lease_expires_at is null or c.lease_expires_at < now()) limit 1
    ) due
    order by random() limit ${maxAccounts}
  ) a
  left join unnest($5::text[], $6::int[]) as b (busy_id, room) on b.busy_id = a.account_id
),
due as (
  select d.id, d.started_at
  from open_accounts a
  cross join lateral (
    select c.id, c.started_at from copies c
    where c.account_id = a.account_id and c.status in ('pending', 'copying') and c.next_attempt_at <= now()
      and (c.lease_expires_at is null or c.lease_expires_at < now()) and c.id <> all ($4)
      and exists (select from destinations d where d.id = c.destination_id and d.status = 'active')
    order by c.next_attempt_at limit a.room for update of c skip locked
  ) d
  limit $1
)
update copies set status = 'copying', tries = tries + 1, started_at = now(), lease_owner = $2,
  lease_expires_at = now() + make_interval(secs => $3)
from due where copies.id = due.id
returning copies.id, due.started_at as interrupted_at`;

/** Leases copies that are due. */
export async function claimCopies(
  { database: { pool, queries } }: Context,
  limit: number,
  inHand: InHand,
  busy: ReadonlyMap<string, number>,
): Promise<ClaimedCopy[]> {
  const { rows } = await pool.query<{ id: string; interrupted_at: Date | null }>(claimSql, [
    limit,
    instanceId,
    leaseSeconds,
    [...inHand.keys()],
    [...busy.keys()],
    [...busy.values()].map((own) => fairShare(limit, own)),
  ]);
  if (rows.length === 0) return [];
  const interrupted = new Map(rows.map((row) => [row.id, row.interrupted_at]));
  const found = await queries
    .select({ copy: copies, destination: destinations })
    .from(copies)
    .innerJoin(destinations, eq(destinations.id, copies.destinationId))
    .where(inArray(copies.id, [...interrupted.keys()]));
  return found.map((one) => ({ ...one, interruptedAt: interrupted.get(one.copy.id) ?? null }));
}

export async function renewLeases({ database }: Context, inHand: InHand): Promise<void> {
  await database.pool.query(
    `update copies set lease_expires_at = now() + make_interval(secs => $2)
     where lease_owner = $1 and id = any ($3)`,
    [instanceId, leaseSeconds, [...inHand.keys()]],
  );
}
