import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { eq, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { moneyReservations } from "#gateway/platform/database/schema.ts";
import { booked, freed, freedChanges } from "./book.ts";

/** The most reservations that one statement releases. */
export const batchSize = 500;

/**
 * A prediction's reservation is released this long after its deadline, if the prediction has not ended by
 * itself.
 */
const afterDeadlineMs = 3_600_000;

/** Keeps the reservation of an accepted prediction, whose end also ends the reservation. */
export async function keepUntil(queries: Queries, runId: string, deadline: Date): Promise<void> {
  await queries
    .update(moneyReservations)
    .set({ expiresAt: new Date(deadline.getTime() + afterDeadlineMs) })
    .where(eq(moneyReservations.runId, runId));
}

/** Releases the reservations of dead processes, for one account or all; returns how many, at most a batch. */
export async function releaseExpired(
  { queries }: Database,
  accountId: string | null = null,
): Promise<number> {
  const ofAccount = accountId === null ? sql`` : sql`and account_id = ${accountId}`;
  return release(
    queries,
    sql`select run_id from ${moneyReservations} where expires_at < now() ${ofAccount}
      order by expires_at limit ${batchSize} for update skip locked`,
  );
}

async function release(queries: Queries, runIds: SQL): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    with ${freed(runIds)}, ${freedChanges}, ${booked(sql`select * from freed_changes`)}
    select (select count(*) from freed)::int as count, (select count(*) from booked) as booked`);
  return rows[0]?.count ?? 0;
}
