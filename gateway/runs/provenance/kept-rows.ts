import type { Queries } from "#gateway/platform/database/database.ts";
import { and, getTableColumns, gt, inArray, isNull, or, sql } from "#gateway/platform/database/drizzle.ts";
import { keptOutputs } from "#gateway/platform/database/schema.ts";

/** Inputs are long, and only an output's own address shows one. */
const { input: _input, media: _media, words: _words, ...listed } = getTableColumns(keptOutputs);
export const keptColumns = listed;
export type KeptRow = Omit<typeof keptOutputs.$inferSelect, "input" | "media" | "words">;

/** Neither removed nor past its retention. */
export const isKeptNow = and(
  isNull(keptOutputs.goesAt),
  or(isNull(keptOutputs.keptUntil), gt(keptOutputs.keptUntil, sql`now()`)),
);

/** Which of these outputs are kept, by their ids. */
export async function readKept(queries: Queries, ids: readonly string[]): Promise<Map<string, KeptRow>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .select(keptColumns)
    .from(keptOutputs)
    .where(and(inArray(keptOutputs.outputId, [...ids]), isKeptNow));
  return new Map(rows.map((row) => [row.outputId, row]));
}
