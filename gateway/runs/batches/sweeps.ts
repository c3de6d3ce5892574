import { batchLimits } from "#contract/batches.ts";
import { firstIdAt } from "#contract/ids.ts";
import { lockTotals } from "#gateway/files/storage/storage-limit.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { and, eq, inArray, isNotNull, isNull, lte, sql } from "#gateway/platform/database/drizzle.ts";
import { batches, batchRows } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { forgottenFailure } from "#gateway/runs/predictions/remove-data.ts";
import { stopRest, withBatch } from "./settle.ts";
import type { BatchRecord } from "./view.ts";

const rowsAtOnce = 2_000;
/** Small, because each batch can have a thousand rows. */
const batchesAtOnce = 20;
const dayMs = 86_400_000;

/** Clears expired rows that succeeded; their files are removed with their reservation or prediction. */
export const batchOutputSweep: Sweep = {
  kind: "batch_outputs",
  async run({ database }) {
    const { rowCount } = await database.pool.query(
      `update batch_rows set input = null, output = null, files = null, data_removed_at = now()
       where ctid = any (array(
         select ctid from batch_rows where expires_at <= now() and data_removed_at is null
         order by expires_at limit ${rowsAtOnce} for update skip locked))`,
    );
    return rowCount === rowsAtOnce;
  },
  oldestDue: () =>
    "select min(expires_at) from batch_rows where expires_at is not null and data_removed_at is null",
};

/** Removes the inputs of batches that ended some time ago. */
export const batchInputSweep: Sweep = {
  kind: "batch_inputs",
  run: ({ database, retention }) =>
    database.transaction(async (queries) => {
      const due = await queries
        .select({ id: batches.id, accountId: batches.accountId })
        .from(batches)
        .where(and(lte(batches.expiresAt, sql`now()`), isNull(batches.dataRemovedAt)))
        .orderBy(batches.expiresAt)
        .limit(batchesAtOnce)
        .for("update", { skipLocked: true });
      if (due.length === 0) return false;
      await lockTotals(queries, due);
      const ids = due.map(({ id }) => id);
      await queries.update(batchRows).set({ input: null }).where(inArray(batchRows.batchId, ids));
      const forgetful = due.filter(({ accountId }) => retention.minutesOf(accountId) !== null);
      if (forgetful.length > 0)
        await queries
          .update(batchRows)
          .set({ error: sql`jsonb_set(error, '{message}', to_jsonb(${forgottenFailure}::text))` })
          .where(
            and(
              inArray(
                batchRows.batchId,
                forgetful.map(({ id }) => id),
              ),
              isNotNull(batchRows.error),
            ),
          );
      await queries
        .update(batches)
        .set({ dataRemovedAt: clock.date(), storedBytes: 0 })
        .where(inArray(batches.id, ids));
      return due.length === batchesAtOnce;
    }),
  oldestDue: () =>
    "select min(expires_at) from batches where expires_at is not null and data_removed_at is null",
};

/**
 * Stops batches that did not end before their deadline, including paused ones, so that their inputs are not
 * kept for ever.
 */
export const batchDeadlineSweep: Sweep<RunsContext> = {
  kind: "batch_deadlines",
  async run(context: RunsContext) {
    const { rows } = await context.database.pool.query<{ id: string }>(
      `select id from batches where status in ('running', 'paused') and deadline_at <= now() limit ${batchesAtOnce}`,
    );
    for (const { id } of rows)
      await withBatch(context, eq(batches.id, id), async (queries, batch) => {
        const isOpen = batch.status === "running" || batch.status === "paused";
        if (isOpen && batch.deadlineAt <= clock.date()) await stopRest(queries, batch, lateness(batch));
      });
    return rows.length === batchesAtOnce;
  },
  oldestDue: () => "select min(deadline_at) from batches where status in ('running', 'paused')",
};

function lateness({ openAi }: BatchRecord): ApiError {
  const { maxDays, openAiHours } = batchLimits;
  const time = openAi ? `${openAiHours} hours` : `${maxDays} days`;
  return new ApiError(
    "batch_expired",
    `The batch had not ended after ${time}, so its remaining rows were not run. Retry the batch to run them.`,
  );
}

/**
 * Deletes batches and their rows when they are old or exceed the account's limit, but only after their inputs
 * and outputs were removed.
 */
export const batchHistorySweep: Sweep = {
  kind: "batch_history",
  async run({ database, history }) {
    if (history.days === null) return false;
    const floor = firstIdAt("batch", clock.now() - history.days * dayMs);
    const { rowCount } = await database.pool.query(
      `delete from batches where id in (
         select id from batches where data_removed_at is not null and (id < $1 or id in (
           select nth.id from accounts cross join lateral (
             select id from batches where account_id = accounts.id order by id desc
             offset ${batchLimits.maxHistory} limit ${batchesAtOnce}) nth))
         order by id limit ${batchesAtOnce} for update skip locked)`,
      [floor],
    );
    return rowCount === batchesAtOnce;
  },
  oldestDue: ({ history }) =>
    history.days === null
      ? null
      : `select created_at + interval '${history.days} days' from batches
         where data_removed_at is not null order by id limit 1`,
};
