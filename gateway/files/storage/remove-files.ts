import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, inArray, isNotNull, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { outputs } from "#gateway/platform/database/schema.ts";
import { NotRemovedError, type ObjectStore } from "./object-store.ts";
import { lockTotals } from "./storage-limit.ts";

/**
 * Removes the files of many rows at once, and forgets their previews in the transaction that changes the rows. Returns
 * which rows have no file left: one whose file cannot be removed stays behind, is logged, and holds up no other. From
 * then on their accounts' totals are locked; what `elsewhere` removes may take its time before.
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

/** Whether there is a file of an output: its run's own, or a kept copy. */
export const hasFile = or(isNotNull(outputs.key), isCopied);

/** The files of these runs were removed: of each stays its hash, and what was read from it only while a copy is kept. */
export async function forgetOutputs(queries: Queries, runIds: string[]): Promise<void> {
  await queries
    .update(outputs)
    .set({ key: null, manifest: sql`case when ${isCopied} then ${outputs.manifest} end` })
    .where(inArray(outputs.runId, runIds));
}

/** The kept copies of these outputs were removed, and their rows. */
export async function forgetCopies(queries: Queries, ids: string[]): Promise<void> {
  await queries
    .update(outputs)
    .set({ manifest: null })
    .where(and(inArray(outputs.id, ids), isNull(outputs.key)));
}

/**
 * The files of these keys were removed, so the rows of their previews go, and in the same statement the objects become
 * reserved files whose time is over, which the sweep removes: none is left by a crash. After the files, so that a preview
 * that is being made is found here or finds no file; and with the totals of their accounts locked.
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

/** A folder for the copies of one output and its input, and of this attempt alone: another one never touches its files. */
export function newKeptFolder(outputId: string): string {
  return `${root}/${outputId}/${randomBytes(8).toString("hex")}`;
}

/** The kept output that an object key belongs to; null for any other key. */
export function keptOutputOf(key: string): string | null {
  const [first, outputId] = key.split("/");
  return first === root ? (outputId ?? null) : null;
}
