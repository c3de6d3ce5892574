import { sql } from "./drizzle.ts";
import { isRejectedData } from "./rejected-data.ts";

/** The end of an `insert` whose rows may exist already. */
export const unlessThere = sql`on conflict do nothing`;

/**
 * Inserts rows that exist already only if an earlier answer was lost. First without `on conflict`, which
 * costs each row a third more; if that fails, once more as rows of which some may exist.
 */
export async function writeNew(insert: (areNew: boolean) => Promise<unknown>): Promise<void> {
  try {
    await insert(true);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await insert(false);
  }
}
