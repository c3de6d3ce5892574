import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { FilesContext } from "#gateway/files/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { outputs, reservedFiles } from "#gateway/platform/database/schema.ts";
import { NotRemovedError, type ObjectStore } from "./object-store.ts";
import { lockTotals } from "./storage-limit.ts";

/**
 * Removes the files of many rows at once, and deletes their previews in the transaction that changes the
 * rows. Returns the rows whose files are all removed. A row with a file that cannot be removed is skipped and
 * logged, so that it does not block the others. At the end it locks the totals of the accounts; pass slow
 * work as `elsewhere`, which runs before the lock.
 */
export async function removeFilesOf<Row extends { accountId: string }>(
  { store, log }: { store: ObjectStore; log: Logger },
  queries: Queries,
  rows: readonly Row[],
  keysOf: (row: Row) => string[],
  elsewhere = async (_gone: Row[]): Promise<void> => {},
): Promise<Row[]> {
  const gone = await removeObjects({ store, log }, rows, keysOf);
  if (gone.length === 0) return gone;
  await elsewhere(gone);
  await lockTotals(queries, gone);
  await forgetPreviews(queries, gone.flatMap(keysOf));
  return gone;
}

async function removeObjects<Row>(
  { store, log }: { store: ObjectStore; log: Logger },
  rows: readonly Row[],
  keysOf: (row: Row) => string[],
): Promise<Row[]> {
  try {
    await store.delete(rows.flatMap(keysOf));
    return [...rows];
  } catch (error) {
    if (!(error instanceof NotRemovedError)) throw error;
    log.warn({ err: error, keys: [...error.keys].slice(0, 10) }, "files could not be removed, will retry");
    return rows.filter((row) => !keysOf(row).some((key) => error.keys.has(key)));
  }
}

const isCopied = sql`exists (select from kept_outputs where kept_outputs.output_id = ${outputs.id})`;

/** Whether an output has a file: the run's own, or a kept copy. */
export const hasFile = or(isNotNull(outputs.key), isCopied);

/**
 * Call after the files of these runs were removed: each output keeps its hash, and its manifest only while a
 * copy is kept.
 */
export async function forgetOutputs(queries: Queries, runIds: string[]): Promise<void> {
  await queries
    .update(outputs)
    .set({ key: null, manifest: sql`case when ${isCopied} then ${outputs.manifest} end` })
    .where(inArray(outputs.runId, runIds));
}

/** Call after the kept copies of these outputs were removed; deletes their rows. */
export async function forgetCopies(queries: Queries, ids: string[]): Promise<void> {
  await queries
    .update(outputs)
    .set({ manifest: null })
    .where(and(inArray(outputs.id, ids), isNull(outputs.key)));
}

/**
 * Call after the files of these keys were removed: deletes the rows of their previews and, in the same
 * statement, reserves the preview objects with an expiry in the past, so that the sweep removes them even
 * after a crash. Called after the removal, so that a preview being made is either found here or finds no
 * file; the totals of the accounts must be locked.
 */
export async function forgetPreviews(queries: Queries, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await queries.execute(sql`
    with gone as (
      delete from previews where key = any (${sql.param(keys)})
      returning account_id, state, preview_key, size_bytes
    )
    insert into generations (id, account_id, outputs, expires_at)
    select preview_key, account_id,
      jsonb_build_array(jsonb_build_object('key', preview_key, 'sizeBytes', size_bytes)), now()
    from gone where state = 'made'`);
}

const root = "kept";

/**
 * A new folder for copies of one output and its input. Each attempt to copy uses its own folder, so that
 * attempts do not disturb each other.
 */
export function newKeptFolder(outputId: string): string {
  return `${root}/${outputId}/${randomBytes(8).toString("hex")}`;
}

/** The kept output that an object key belongs to; null for other keys. */
export function keptOutputOf(key: string): string | null {
  const [first, outputId] = key.split("/");
  return first === root ? (outputId ?? null) : null;
}

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

/**
 * Call after files were stored whose account may be deleted meanwhile. Removes them if their reservation is
 * gone: it may have ended before they were stored, and then nothing else would.
 */
export async function removeUnlessReserved(
  { database, store }: Pick<FilesContext, "database" | "store">,
  id: string,
  files: readonly { key: string }[],
): Promise<void> {
  // Waits for a sweep that is ending the reservation.
  const [held] = await database.queries
    .select({ id: reservedFiles.id })
    .from(reservedFiles)
    .where(eq(reservedFiles.id, id))
    .for("key share");
  if (!held) await store.delete(files.map(({ key }) => key));
}

/** Removes the files of expired reservations. */
export const reservedFileSweep: Sweep<FilesContext> = {
  kind: "reserved_files",
  run: async (context) =>
    (await remove(context, lt(reservedFiles.expiresAt, sql`now()`), { skipLocked: true })) === batchSize,
  oldestDue: () => "select min(expires_at) from generations",
};

/** Removes the files of these reservations now. */
export async function removeReservedFilesOf(context: FilesContext, ids: string[]): Promise<void> {
  if (ids.length > 0) await remove(context, inArray(reservedFiles.id, ids), {});
}

/** Files are removed first: after a crash in between they are only removed again. */
async function remove(context: FilesContext, condition: SQL, lock: { skipLocked?: true }): Promise<number> {
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
