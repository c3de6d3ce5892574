import { ulidOf } from "#contract/ids.ts";
import type { OperatorUsageLines, OperatorUsageLinesQuery } from "#contract/operator/usage.ts";
import { exact } from "#gateway/billing/usage/sums.ts";
import type { Context } from "#gateway/context.ts";
import { and, asc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { usageLines } from "#gateway/platform/database/schema.ts";

const usualLimit = 50;
/** A run of a chat has some five lines; a page ends with a whole run. */
const mostLinesPerRun = 12;

/** The lines of runs of a day, by the time of their runs, so many runs at once. */
export async function listUsageLines(
  { database, meter }: Context,
  { day, model, provider, after, limit = usualLimit }: OperatorUsageLinesQuery,
): Promise<OperatorUsageLines> {
  await meter.flush();
  const rows = await database.queries
    .select()
    .from(usageLines)
    .where(
      and(
        eq(usageLines.day, day),
        model === undefined ? undefined : eq(usageLines.model, model),
        provider === undefined ? undefined : eq(usageLines.provider, provider),
        after === undefined ? undefined : sql`${usageLines.run} > ${ulidOf(after)}`,
      ),
    )
    .orderBy(asc(usageLines.run), asc(usageLines.kind))
    .limit(limit * mostLinesPerRun);
  const runs = [...new Set(rows.map(({ run }) => run))];
  const wanted = new Set(runs.slice(0, limit));
  return {
    object: "list",
    data: rows
      .filter(({ run }) => wanted.has(run))
      .map((row) => ({
        run_id: `${row.runPrefix}_${row.run}`,
        kind: row.kind,
        unit: row.unit,
        quantity: row.quantity,
        account_id: row.accountId,
        model: row.model,
        provider: row.provider,
        region: row.region,
        cost: exact(row.cost),
        charge: exact(row.charge),
      })),
    has_more: runs.length > limit,
  };
}
