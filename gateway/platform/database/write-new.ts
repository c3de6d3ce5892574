import { sql } from "./drizzle.ts";
import { isRejectedData } from "./rejected-data.ts";

/** The end of an `insert` whose rows may be there already. */
export const unlessThere = sql`on conflict do nothing`;

/**
 * Inserts rows that are there already only if an earlier answer was lost: as new ones, without `on conflict`, which costs
 * each row a third more, and if that fails once more, as rows of which some may be there.
 */
export async function writeNew(insert: (areNew: boolean) => Promise<unknown>): Promise<void> {
  try {
    await insert(true);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await insert(false);
  }
}
