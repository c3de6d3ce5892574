import type { Queries } from "#gateway/platform/database/database.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { executePrepared } from "#gateway/platform/database/prepared.ts";
import { figureAdditions } from "#gateway/platform/database/schema.ts";
import { type FigureSums, rowOf } from "./sums.ts";

/**
 * The `insert` that adds to the figures. Put it last in the statement that writes the counted rows, so that
 * both are written or neither. It never waits for locks: a sweep folds the rows into minutes, hours and days
 * (`fold.ts`).
 */
export function additionOf(sums: FigureSums): SQL {
  return sql`insert into ${figureAdditions}
    select * from json_populate_recordset(null::figure_additions, ${additionsAsJson(sums)}::json)`;
}

export function additionsAsJson(sums: FigureSums): string {
  return JSON.stringify(sums.values().map(rowOf));
}

/** Adds to the figures, in the same transaction as the counted rows. */
export async function addFigures(queries: Queries, sums: FigureSums): Promise<void> {
  if (!sums.isEmpty) await executePrepared(queries, additionOf(sums));
}
