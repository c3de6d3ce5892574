import { eq } from "drizzle-orm";
import { batchLimits } from "#contract/batches.ts";
import { firstIdAt } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Sweep } from "#gateway/core/sweeps.ts";
import { batches } from "#gateway/database/schema.ts";
import { stopRest, withBatch } from "./with-batch.ts";

const rowsAtOnce = 2_000;
/** A batch has up to a thousand rows. */
const batchesAtOnce = 20;
const dayMs = 86_400_000;

/** Forgets outputs at their time: their files go with their reservation or their prediction. */
export const batchOutputSweep: Sweep = {
  kind: "batch_outputs",
  async run({ database }) {
    const { rowCount } = await database.pool.query(
      `update batch_rows set output = null, files = null, data_removed_at = now()
       where ctid = any (array(
         select ctid from batch_rows where expires_at <= now() and data_removed_at is null
         order by expires_at limit ${rowsAtOnce} for update skip locked))`,
    );
    return rowCount === rowsAtOnce;
  },
  oldestDue: () =>
    "select min(expires_at) from batch_rows where expires_at is not null and data_removed_at is null",
};

/** Removes the inputs of batches that ended a while ago. */
export const batchInputSweep: Sweep = {
  kind: "batch_inputs",
  async run({ database }) {
    const { rowCount } = await database.pool.query(
      `with due as (
         select id from batches where expires_at <= now() and data_removed_at is null
         order by expires_at limit ${batchesAtOnce} for update skip locked
       ), emptied as (update batch_rows set input = null from due where batch_id = due.id)
       update batches set data_removed_at = now() from due where batches.id = due.id`,
    );
    return rowCount === batchesAtOnce;
  },
  oldestDue: () =>
    "select min(expires_at) from batches where expires_at is not null and data_removed_at is null",
};

/** Stops batches that have not ended in their time, a paused one as well: their inputs must not stay for ever. */
export const batchDeadlineSweep: Sweep = {
  kind: "batch_deadlines",
  async run(context: Context) {
    const { rows } = await context.database.pool.query<{ id: string }>(
      `select id from batches where status in ('running', 'paused') and deadline_at <= now() limit ${batchesAtOnce}`,
    );
    const reason = new ApiError(
      "batch_expired",
      `The batch had not ended after ${batchLimits.maxDays} days, so the rest was not run.`,
    );
    for (const { id } of rows)
      await withBatch(context, eq(batches.id, id), async (queries, batch) => {
        const isOpen = batch.status === "running" || batch.status === "paused";
        if (isOpen && batch.deadlineAt <= clock.date()) await stopRest(queries, batch, reason);
      });
    return rows.length === batchesAtOnce;
  },
  oldestDue: () => "select min(deadline_at) from batches where status in ('running', 'paused')",
};

/** Removes old batches with their rows, once nothing private is left of them. */
export const batchHistorySweep: Sweep = {
  kind: "batch_history",
  async run({ database, history }) {
    if (history.days === null) return false;
    const floor = firstIdAt("batch", clock.now() - history.days * dayMs);
    const { rowCount } = await database.pool.query(
      `delete from batches where id in (
         select id from batches where id < $1 and data_removed_at is not null
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
