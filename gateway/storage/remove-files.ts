import type { Logger } from "pino";
import { NotRemovedError, type ObjectStore } from "./object-store.ts";

/**
 * Removes the files of many rows at once. Returns which rows have no file left: one whose file cannot be removed stays
 * behind, is logged, and holds up no other.
 */
export async function removeFilesOf<Row>(
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
