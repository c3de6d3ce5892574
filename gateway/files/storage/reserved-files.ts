import type { BaseContext } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, inArray, lt, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { reservedFiles } from "#gateway/platform/database/schema.ts";
import { forgetOutputs, removeFilesOf } from "./remove-files.ts";

/** Longer than any request takes that stores files before it writes their row. */
const requestMs = 3_600_000;
const batchSize = 500;

interface Reservation {
  id: string;
  accountId: string;
  files: { key: string; sizeBytes: number }[];
  /** When the files are removed; by default in an hour. */
  until?: Date;
}

/**
 * Records files in the database before they are stored, so that they are removed even if the process dies.
 * Another row can take them over (`releaseReservation`); otherwise they are removed when the reservation
 * expires.
 */
export async function reserveFiles(
  queries: Queries,
  { id, accountId, files, until }: Reservation,
): Promise<void> {
  const values = {
    id,
    accountId,
    files: files.map(({ key, sizeBytes }) => ({ key, sizeBytes })),
    expiresAt: until ?? new Date(clock.now() + requestMs),
  };
  // Repeated with the same files if the answer to the first statement was lost.
  await queries.insert(reservedFiles).values(values).onConflictDoNothing();
}

/**
 * Ends a reservation, in the transaction that writes the files' owning row. Returns false if there was none.
 */
export async function releaseReservation(queries: Queries, id: string): Promise<boolean> {
  const { rowCount } = await queries.delete(reservedFiles).where(eq(reservedFiles.id, id));
  return rowCount === 1;
}

/** Removes the files of expired reservations. */
export const reservedFileSweep: Sweep = {
  kind: "reserved_files",
  run: async (context) =>
    (await remove(context, lt(reservedFiles.expiresAt, sql`now()`), { skipLocked: true })) === batchSize,
  oldestDue: () => "select min(expires_at) from generations",
};

/** Removes the files of these reservations now. */
export async function removeReservedFilesOf(context: BaseContext, ids: string[]): Promise<void> {
  if (ids.length > 0) await remove(context, inArray(reservedFiles.id, ids), {});
}

/** Files are removed first: after a crash in between they are only removed again. */
async function remove(context: BaseContext, condition: SQL, lock: { skipLocked?: true }): Promise<number> {
  return context.database.transaction(async (queries) => {
    const due = await queries
      .select()
      .from(reservedFiles)
      .where(condition)
      .orderBy(reservedFiles.expiresAt)
      .limit(batchSize)
      .for("update", lock);
    const gone = await removeFilesOf(context, queries, due, ({ files }) => files.map(({ key }) => key));
    const ids = gone.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await forgetOutputs(queries, ids);
    await queries.delete(reservedFiles).where(inArray(reservedFiles.id, ids));
    return ids.length;
  });
}
