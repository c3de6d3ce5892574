import type { Context } from "#gateway/context.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import {
  accountDeletions,
  accounts,
  destinations,
  webhookEndpoints,
} from "#gateway/platform/database/schema.ts";
import { contentsOf } from "./contents.ts";
import { steps } from "./steps.ts";

type Row = typeof accountDeletions.$inferSelect;

/** More than any account has: what is there at the beginning is counted in full. */
const everything = 1_000_000_000;

/** Accounts that are worked on in turns, so that one which waits for its files holds up no other. */
const accountsAtOnce = 20;

/**
 * Removes accounts whose week is over: one batch at a time, saved in its transaction together with how far it got, so that
 * another process goes on where a killed one stopped. Several processes never work on the same account.
 */
export const accountDeletionSweep: Sweep = {
  kind: "account_deletions",
  run: async ({ database, log }) => {
    const due = await database.queries
      .select({ accountId: accountDeletions.accountId })
      .from(accountDeletions)
      .where(isDue())
      .orderBy(asc(accountDeletions.dueAt), asc(accountDeletions.accountId))
      .limit(accountsAtOnce);
    let more = false;
    for (const { accountId } of due)
      more = (await database.transaction((queries) => oneBatch(queries, accountId, log))) || more;
    await removeLateRequests(database);
    return more;
  },
  oldestDue: () => "select min(due_at) from account_deletions where finished_at is null",
};

function isDue() {
  return and(isNull(accountDeletions.finishedAt), sql`${accountDeletions.dueAt} <= now()`);
}

/** True when there is more to do at once. */
async function oneBatch(queries: Queries, accountId: string, log: Context["log"]): Promise<boolean> {
  const [row] = await queries
    .select()
    .from(accountDeletions)
    .where(and(eq(accountDeletions.accountId, accountId), isDue()))
    .for("update", { skipLocked: true });
  if (!row) return false;
  return row.startedAt ? advance(queries, row, log) : begin(queries, row, log);
}

/** Requests are logged a moment after they were made: here those of members who looked until the end. */
async function removeLateRequests({ queries }: Context["database"]): Promise<void> {
  const late = sql`any (array(
    select account_id from account_deletions where finished_at > now() - interval '1 hour'))`;
  await queries.execute(sql`delete from request_logs where account_id = ${late}`);
  await queries.execute(sql`delete from figure_additions where account_id = ${late}`);
}

/** From here on nothing is delivered or copied any more, and how much there is, is known. */
async function begin(queries: Queries, { accountId }: Row, log: Context["log"]): Promise<true> {
  const contents = await contentsOf(queries, accountId, everything);
  await queries
    .update(webhookEndpoints)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(webhookEndpoints.accountId, accountId), isNull(webhookEndpoints.deletedAt)));
  await queries.update(destinations).set({ status: "paused" }).where(eq(destinations.accountId, accountId));
  await save(queries, accountId, { startedAt: sql`now()`, contents });
  log.info({ account: accountId, contents }, "deleting an account");
  return true;
}

/** One batch of one step; true when there is more to do at once. */
async function advance(queries: Queries, row: Row, log: Context["log"]): Promise<boolean> {
  const { accountId, cursor } = row;
  const step = steps[row.step];
  if (!step) {
    await queries.delete(accounts).where(eq(accounts.id, accountId));
    await save(queries, accountId, { finishedAt: sql`now()` });
    log.info({ account: accountId }, "an account was deleted");
    return true;
  }
  const batch = await step(queries, accountId, cursor);
  await save(queries, accountId, {
    erasedRows: row.erasedRows + (batch.erased ?? 0),
    cursor: batch.state === "more" ? (batch.cursor ?? null) : null,
    step: batch.state === "done" ? row.step + 1 : row.step,
  });
  return batch.state !== "waiting";
}

type Change = Parameters<ReturnType<Queries["update"]>["set"]>[0];

async function save(queries: Queries, accountId: string, change: Change): Promise<void> {
  await queries.update(accountDeletions).set(change).where(eq(accountDeletions.accountId, accountId));
}
