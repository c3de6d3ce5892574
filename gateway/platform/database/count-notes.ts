import type { Queries } from "./database.ts";
import { and, count, eq, inArray } from "./drizzle.ts";
import { notes } from "./schema.ts";

const columns = { prediction: notes.predictionId, delivery: notes.deliveryId };

/**
 * The number of notes on each of an account's predictions or deliveries, in one query for a page of a list.
 */
export async function countNotes(
  queries: Queries,
  kind: keyof typeof columns,
  accountId: string,
  ids: readonly string[],
): Promise<(id: string) => number> {
  if (ids.length === 0) return () => 0;
  const id = columns[kind];
  const rows = await queries
    .select({ id, count: count() })
    .from(notes)
    .where(and(eq(notes.accountId, accountId), inArray(id, [...ids])))
    .groupBy(id);
  const counts = new Map(rows.map((row) => [row.id, row.count]));
  return (subject) => counts.get(subject) ?? 0;
}
