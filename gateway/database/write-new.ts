import { type SQL, sql } from "./drizzle.ts";
import { isRejectedData } from "./rejected-data.ts";

/** The end of an `insert` whose rows may be there already. */
export const unlessThere = sql`on conflict do nothing`;

/**
 * Inserts rows that are there already only if an earlier answer was lost: without `on conflict`, which costs each row a
 * third more, and with it if that fails.
 */
export async function writeNew(insert: (onConflict: SQL) => Promise<unknown>): Promise<void> {
  try {
    await insert(sql``);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await insert(unlessThere);
  }
}
