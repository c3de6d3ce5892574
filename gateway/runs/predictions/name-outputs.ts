import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { reserveFiles } from "#gateway/files/storage/reserved-files.ts";
import { and, eq, inArray, isNull } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { StoredOutput } from "#gateway/platform/database/tables/predictions.ts";
import { isLeasedHere } from "./lease.ts";

/**
 * Writes the files that are about to be stored into a leased prediction; returns false if it has ended or was
 * taken over. Files that an earlier attempt named under other keys may still be on their way into the store,
 * so they are removed later.
 */
export async function nameOutputs(
  { database }: Context,
  id: string,
  named: StoredOutput[],
): Promise<boolean> {
  const first = await database.queries
    .update(predictions)
    .set({ outputs: named })
    .where(and(isLeasedHere(id), isNull(predictions.outputs)))
    .returning({ id: predictions.id });
  if (first.length > 0) return true;
  return database.transaction(async (queries) => {
    const [row] = await queries
      .select({ accountId: predictions.accountId, outputs: predictions.outputs })
      .from(predictions)
      .where(isLeasedHere(id))
      .for("update");
    if (!row) return false;
    const files = keysOutside(row.outputs ?? [], named);
    if (files.length > 0)
      await reserveFiles(queries, { id: newId("generation"), accountId: row.accountId, files });
    await queries.update(predictions).set({ outputs: named }).where(eq(predictions.id, id));
    return true;
  });
}

/**
 * Removes the files of a run that has meanwhile ended in another way or was taken over. Files that its row
 * names are kept unless the run failed.
 */
export async function removeUnlessKept(context: Context, id: string, stored: StoredOutput[]): Promise<void> {
  const { queries } = context.database;
  const [row] = await queries
    .select({ status: predictions.status, outputs: predictions.outputs })
    .from(predictions)
    .where(eq(predictions.id, id));
  const isOver = row?.status === "failed" || row?.status === "canceled";
  const gone = keysOutside(stored, isOver ? [] : (row?.outputs ?? []));
  if (gone.length > 0) await context.store.delete(gone.map(({ key }) => key));
  if (isOver)
    await queries
      .update(predictions)
      .set({ outputs: null })
      .where(and(eq(predictions.id, id), inArray(predictions.status, ["failed", "canceled"])));
}

/** The files whose keys are not among `named`. */
export function keysOutside(files: StoredOutput[], named: StoredOutput[]): StoredOutput[] {
  const keys = new Set(named.map(({ key }) => key));
  return files.filter(({ key }) => !keys.has(key));
}
