import { forgetCopies, removeFilesOf } from "#gateway/files/storage/remove-files.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs } from "#gateway/platform/database/schema.ts";

const batchSize = 500;
const dueAt = sql`least(kept_until, goes_at)`;

/**
 * Removes kept files whose retention has ended, and those that somebody removed. Objects are removed before
 * rows, so that after a crash the removal is simply repeated.
 */
export const keptOutputSweep: Sweep = {
  kind: "kept_outputs",
  run: (context) =>
    context.database.transaction(async (queries) => {
      const due = await queries
        .select({
          id: keptOutputs.outputId,
          accountId: keptOutputs.accountId,
          key: keptOutputs.key,
          media: keptOutputs.media,
        })
        .from(keptOutputs)
        .where(sql`${dueAt} <= now()`)
        .orderBy(dueAt)
        .limit(batchSize)
        .for("update", { skipLocked: true });
      const gone = await removeFilesOf(context, queries, due, ({ key, media }) => [
        key,
        ...media.map((file) => file.key),
      ]);
      const ids = gone.map(({ id }) => id);
      if (ids.length === 0) return false;
      await queries.delete(keptOutputs).where(inArray(keptOutputs.outputId, ids));
      await forgetCopies(queries, ids);
      return due.length === batchSize;
    }),
  oldestDue: () =>
    "select min(least(kept_until, goes_at)) from kept_outputs where least(kept_until, goes_at) is not null",
};
