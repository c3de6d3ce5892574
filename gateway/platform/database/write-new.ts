import { sql } from "./drizzle.ts";
import { isRejectedData } from "./rejected-data.ts";

/** The end of an `insert` whose rows may exist already. */
export const unlessThere = sql`on conflict do nothing`;

/**
 * Inserts rows that are almost always new: they exist only if the answer to an earlier insert was lost. The
 * first try has no `on conflict`, which would cost each row a third more. If that try fails, a second one has
 * it.
 */
export async function writeNew(insert: (areNew: boolean) => Promise<unknown>): Promise<void> {
  try {
    await insert(true);
  } catch (error) {
    if (!isRejectedData(error)) throw error;
    await insert(false);
  }
}
