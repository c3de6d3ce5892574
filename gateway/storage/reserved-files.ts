import { eq, inArray, lt, type SQL } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Sweep } from "#gateway/core/sweeps.ts";
import type { Queries } from "#gateway/database/database.ts";
import { reservedFiles } from "#gateway/database/schema.ts";

/** Longer than any request that stores files before the row they belong to. */
const requestMs = 3_600_000;
const batchSize = 100;

interface Reservation {
  id: string;
  accountId: string;
  files: { key: string; sizeBytes: number }[];
  /** When the files are removed; an hour from now by default. */
  until?: Date;
}

/**
 * Records files in the database before they are stored, so that they are removed even if the process dies. Another row
 * can take over their ownership (`releaseReservation`), else they are removed when the reservation expires.
 */
export async function reserveFiles(
  queries: Queries,
  { id, accountId, files, until }: Reservation,
): Promise<void> {
  await queries.insert(reservedFiles).values({
    id,
    accountId,
    files: files.map(({ key, sizeBytes }) => ({ key, sizeBytes })),
    expiresAt: until ?? new Date(clock.now() + requestMs),
  });
}

/** Ends a reservation, in the transaction that writes the row that owns the files from then on. */
export async function releaseReservation(queries: Queries, id: string): Promise<void> {
  await queries.delete(reservedFiles).where(eq(reservedFiles.id, id));
}

/** Removes the files of expired reservations. */
export async function removeReservedFiles(context: Context): Promise<void> {
  await remove(context, lt(reservedFiles.expiresAt, clock.date()));
}

export const reservedFileSweep: Sweep = { name: "expired reserved files", run: removeReservedFiles };

/** Removes the files of these reservations at once. */
export async function removeReservedFilesOf(context: Context, ids: string[]): Promise<void> {
  if (ids.length > 0) await remove(context, inArray(reservedFiles.id, ids));
}

/** Files are removed first: after a crash in between they are simply removed again. */
async function remove(context: Context, condition: SQL): Promise<void> {
  const { queries } = context.database;
  const due = await queries.select().from(reservedFiles).where(condition).limit(batchSize);
  for (const { id, files } of due) {
    for (const { key } of files) await context.store.delete(key);
    await releaseReservation(queries, id);
  }
}
