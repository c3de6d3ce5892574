import { mayTakeSlot } from "#gateway/platform/core/fair-queue.ts";
import { type InHand, instanceId, leaseMs } from "#gateway/platform/core/leased-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { fromNow } from "#gateway/platform/database/free-leases.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { RowRecord } from "./read.ts";
import type { BatchRecord } from "./view.ts";

/** A claim considers at most this many batches; the next claim continues with the batches after them. */
const maxBatches = 64;

export interface Claimed {
  batch: BatchRecord;
  row: RowRecord;
}

export interface ClaimRequest {
  limit: number;
  /** The number of rows that this process is working on, by account. */
  busy: ReadonlyMap<string, number>;
}

/**
 * Leases waiting rows of running batches. Each batch is locked meanwhile, so that several processes together
 * never exceed its limit of concurrent rows; batches claimed longest ago come first.
 */
export async function claimRows(
  { database }: RunsContext,
  { limit, busy }: ClaimRequest,
): Promise<Claimed[]> {
  return database.transaction(async (queries) => {
    const due = await queries
      .select()
      .from(batches)
      .where(
        sql`status = 'running' and (waits_until is null or waits_until <= now())
          and exists (select from batch_rows r
            where r.batch_id = batches.id and r.status = 'queued' and r.next_check_at <= now())`,
      )
      .orderBy(sql`${batches.claimedAt} nulls first`, asc(batches.id))
      .limit(maxBatches)
      .for("update", { skipLocked: true });
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    const running = await queries
      .select({ batchId: batchRows.batchId, count: sql<number>`count(*)::int` })
      .from(batchRows)
      .where(sql`${inArray(batchRows.batchId, ids)} and ${batchRows.status} = 'running'`)
      .groupBy(batchRows.batchId);
    const runningOf = new Map(running.map(({ batchId, count }) => [batchId, count]));
    const rooms = due.map(({ id, accountId, concurrency }) => ({
      id,
      accountId,
      room: concurrency - (runningOf.get(id) ?? 0),
    }));
    const shares = [...allot(limit, rooms, busy)];
    if (shares.length === 0) return [];
    const wanted = shares.map(([id, share]) => sql`(${id}::text, ${share}::int)`);
    const { rows } = await queries.execute<{ batch_id: string; row: number }>(sql`
      update ${batchRows} set status = 'running', lease_owner = ${instanceId}, started_at = now(),
        lease_expires_at = ${fromNow(leaseMs)}
      from (values ${sql.join(wanted, sql`, `)}) as wanted (id, share)
        cross join lateral (
          select r.batch_id, r.row from ${batchRows} r
          where r.batch_id = wanted.id and r.status = 'queued' and r.next_check_at <= now()
          order by r.row limit wanted.share for update skip locked
        ) due
      where ${batchRows.batchId} = due.batch_id and ${batchRows.row} = due.row
      returning ${batchRows.batchId}, ${batchRows.row}`);
    await queries
      .update(batches)
      .set({ claimedAt: sql`now()`, waitsUntil: null })
      .where(inArray(batches.id, ids));
    const byId = new Map(due.map((batch) => [batch.id, batch]));
    const claimed = await readRows(
      queries,
      rows.map(({ batch_id, row }) => ({ batchId: batch_id, row })),
    );
    return claimed.flatMap((row) => {
      const batch = byId.get(row.batchId);
      return batch ? { batch, row } : [];
    });
  });
}

type Room = { id: string; accountId: string; room: number };

/**
 * Rows of each batch that may start: accounts take turns, and within an account the batch that got the fewest
 * rows in this claim is next.
 */
export function allot(
  limit: number,
  rooms: readonly Room[],
  held: ReadonlyMap<string, number>,
): Map<string, number> {
  const shares = new Map<string, number>();
  const shareOf = ({ id }: Room) => shares.get(id) ?? 0;
  const accounts = [...new Set(rooms.map(({ accountId }) => accountId))].map((id) => ({
    batches: rooms.filter(({ accountId }) => accountId === id),
    own: held.get(id) ?? 0,
  }));
  let free = limit;
  let hasGiven = true;
  while (free > 0 && hasGiven) {
    hasGiven = false;
    for (const account of accounts) {
      const open = account.batches.filter((batch) => shareOf(batch) < batch.room);
      const [first, ...others] = open;
      if (!first || !mayTakeSlot(free, account.own)) continue;
      const next = others.reduce((least, one) => (shareOf(one) < shareOf(least) ? one : least), first);
      shares.set(next.id, shareOf(next) + 1);
      account.own += 1;
      free -= 1;
      hasGiven = true;
    }
  }
  return shares;
}

async function readRows(
  queries: Queries,
  keys: readonly { batchId: string; row: number }[],
): Promise<RowRecord[]> {
  if (keys.length === 0) return [];
  const pairs = keys.map(({ batchId, row }) => sql`(${batchId}, ${row})`);
  return queries
    .select()
    .from(batchRows)
    .where(sql`(${batchRows.batchId}, ${batchRows.row}) in (${sql.join(pairs, sql`, `)})`)
    .orderBy(asc(batchRows.batchId), asc(batchRows.row));
}

/** Renews the leases of the rows that this process is working on; never shortens one. */
export async function renewLeases({ database }: RunsContext, inHand: InHand): Promise<void> {
  await database.pool.query(
    `update batch_rows r
     set lease_expires_at = greatest(r.lease_expires_at, now() + make_interval(secs => held.ms / 1000.0))
     from unnest($2::text[], $3::int[]) as held (key, ms)
     where r.lease_owner = $1 and r.status = 'running' and r.batch_id || '/' || r."row" = held.key`,
    [instanceId, [...inHand.keys()], [...inHand.values()]],
  );
}

/**
 * Takes over rows whose process died before they ended. A row that has already become a prediction continues
 * without its batch worker.
 */
export async function takeOver({ database }: RunsContext, inHand: Iterable<string>): Promise<Claimed[]> {
  return database.transaction(async (queries) => {
    const { rows } = await queries.execute<{ batch_id: string; row: number }>(sql`
      update ${batchRows} set lease_owner = ${instanceId},
        lease_expires_at = ${fromNow(leaseMs)}
      from (
        select r.batch_id, r.row from ${batchRows} r
        where r.status = 'running' and r.prediction_id is null
          and (r.lease_expires_at is null or r.lease_expires_at < now())
          and r.batch_id || '/' || r.row <> all (${sql.param([...inHand])}::text[])
        limit 100 for update skip locked
      ) due
      where ${batchRows.batchId} = due.batch_id and ${batchRows.row} = due.row
      returning ${batchRows.batchId}, ${batchRows.row}`);
    const keys = rows.map(({ batch_id, row }) => ({ batchId: batch_id, row }));
    const taken = await readRows(queries, keys);
    if (taken.length === 0) return [];
    const ids = [...new Set(taken.map(({ batchId }) => batchId))];
    const found = await queries.select().from(batches).where(inArray(batches.id, ids));
    const byId = new Map(found.map((batch) => [batch.id, batch]));
    return taken.flatMap((row) => {
      const batch = byId.get(row.batchId);
      return batch ? { batch, row } : [];
    });
  });
}

/** Identifies a row in this process. */
export function keyOf({ batchId, row }: Pick<RowRecord, "batchId" | "row">): string {
  return `${batchId}/${row}`;
}
