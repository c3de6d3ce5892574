import type { Logger } from "pino";
import type { Queries } from "#gateway/platform/database/database.ts";
import { forgetPreviews } from "./forget-previews.ts";
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
