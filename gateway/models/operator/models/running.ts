import { isTerminal, predictionStatuses } from "#contract/prediction.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, inArray, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";

const isRunning = inArray(
  predictions.status,
  predictionStatuses.filter((status) => !isTerminal(status)),
);

/** The running predictions of operators' entries, counted by entry and revision. */
export async function countRunning(
  queries: Queries,
): Promise<{ model: string; revision: number; running: number }[]> {
  const rows = await queries
    .select({ model: predictions.model, revision: predictions.entryRevision, running: count() })
    .from(predictions)
    .where(and(isRunning, isNotNull(predictions.entryRevision)))
    .groupBy(predictions.model, predictions.entryRevision);
  return rows.map((row) => ({ ...row, revision: row.revision ?? 0 }));
}

export async function runningOf(queries: Queries, id: string): Promise<number> {
  const [row] = await queries
    .select({ running: count() })
    .from(predictions)
    .where(and(isRunning, eq(predictions.model, id)));
  return row?.running ?? 0;
}
