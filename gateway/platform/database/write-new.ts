import { sql } from "./drizzle.ts";
import { isRejectedData } from "./rejected-data.ts";

/** The end of an `insert` whose rows may exist already. */
export const unlessThere = sql`on conflict do nothing`;

/**
 * Inserts rows that may already exist, but only if an earlier answer was lost. The first try has no `on
 * conflict`, which costs each row a third more; if that fails, the rows are inserted again with it.
 */
export async function writeNew(insert: (areNew: boolean) => Promise<unknown>): Promise<void> {
  try {
    await insert(true);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await insert(false);
  }
}
