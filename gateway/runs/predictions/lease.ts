import { fairShareSql, waitingSql } from "#gateway/platform/core/fair-queue.ts";
import { type InHand, instanceId, leaseMs, soleHolderLeaseMs } from "#gateway/platform/core/leased-loop.ts";
import { and, eq, inArray, type PgUpdateSetSource } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { PredictionRow } from "./view.ts";

const leaseSeconds = leaseMs / 1000;

/**
 * Lease times for `updateLeased`: for a run that only this process can end, and for one that others can
 * continue.
 */
export const soleHolderLease = { leaseExpiresAt: fromNow(soleHolderLeaseMs) };
export const ordinaryLease = { leaseExpiresAt: fromNow(leaseMs) };

/** Accounts that one claim looks at; the next claim continues after them. */
const maxAccounts = 64;

export interface LeaseRequest {
  limit: number;
  /** The work of this process, whose leases may have expired during a database outage. */
  inHand: InHand;
  /** How many more predictions may be leased for accounts that this process already works for. */
  accountRooms: ReadonlyMap<string, number>;
  /** Accounts after this id come first, so that all get a turn. */
  afterAccount: string;
}

/*
 * A skip scan of the queue's index finds the accounts with work, and each is served up to its share (see
 * `fairShare`): one account's backlog, however large, does not delay the others.
 */
const leaseSql = `
${waitingSql("predictions", "account_id", "status in ('starting', 'processing') and next_check_at is not null")},
open_accounts as (
  select account_id, least(coalesce(b.room, $1), ${fairShareSql("$1")}) as room
  from (
    select w.account_id from waiting w
    cross join lateral (
      select from predictions
      where account_id = w.account_id and status in ('starting', 'processing') and next_check_at <= now()
        and (lease_expires_at is null or lease_expires_at < now()) limit 1
    ) due
    order by account_id <= $7, account_id limit ${maxAccounts}
  ) a
  left join unnest($5::text[], $6::int[]) as b (busy_id, room) on b.busy_id = a.account_id
  order by account_id <= $7, account_id
),
due as (
  select d.id
  from open_accounts a
  cross join lateral (
    select id from predictions
    where account_id = a.account_id and status in ('starting', 'processing') and next_check_at <= now()
      and (lease_expires_at is null or lease_expires_at < now()) and id <> all ($4)
    order by next_check_at limit a.room for update skip locked
  ) d
  limit $1
)
update predictions set lease_owner = $2, lease_expires_at = now() + make_interval(secs => $3)
from due where predictions.id = due.id returning predictions.id`;

/**
 * Leases due predictions. An unnamed statement, because a plan cached on an empty table would be slow later.
 */
export async function leaseDue(context: RunsContext, request: LeaseRequest): Promise<PredictionRow[]> {
  const { limit, inHand, accountRooms, afterAccount } = request;
  const claimed = await context.database.pool.query<{ id: string }>(leaseSql, [
    limit,
    instanceId,
    leaseSeconds,
    [...inHand.keys()],
    [...accountRooms.keys()],
    [...accountRooms.values()],
    afterAccount,
  ]);
  if (claimed.rows.length === 0) return [];
  const ids = claimed.rows.map((row) => row.id);
  return context.database.queries.select().from(predictions).where(inArray(predictions.id, ids));
}

/**
 * Renews the leases of the predictions that this process is working on, but no others: a prediction whose
 * leasing answer was lost with the connection, or that could not be released, must expire. A renewal never
 * shortens a lease, because it may come after the write that made the lease longer.
 */
export async function renewLeases(context: RunsContext, inHand: InHand): Promise<void> {
  await context.database.pool.query(
    `update predictions p
     set lease_expires_at = greatest(p.lease_expires_at, now() + make_interval(secs => held.ms / 1000.0))
     from unnest($2::text[], $3::int[]) as held (id, ms)
     where p.id = held.id and p.lease_owner = $1 and p.status in ('starting', 'processing')`,
    [instanceId, [...inHand.keys()], [...inHand.values()]],
  );
}

/** Matches a prediction that this process has leased. */
export function isLeasedHere(id: string) {
  return and(
    eq(predictions.id, id),
    eq(predictions.leaseOwner, instanceId),
    inArray(predictions.status, ["starting", "processing"]),
  );
}

/** Changes a leased prediction; returns false if it has ended or was taken over. */
export async function updateLeased(
  context: RunsContext,
  id: string,
  values: PgUpdateSetSource<typeof predictions>,
): Promise<boolean> {
  const rows = await context.database.queries
    .update(predictions)
    .set(values)
    .where(isLeasedHere(id))
    .returning({ id: predictions.id });
  return rows.length > 0;
}

/** Releases a prediction until `afterMs` from now. */
export async function release(context: RunsContext, id: string, afterMs: number): Promise<void> {
  await context.database.queries
    .update(predictions)
    .set({
      leaseOwner: null,
      leaseExpiresAt: null,
      nextCheckAt: fromNow(afterMs),
    })
    .where(and(eq(predictions.id, id), eq(predictions.leaseOwner, instanceId)));
}
