import { maxCounted } from "#contract/counted.ts";
import type { List } from "#contract/list.ts";
import type { Queries } from "./database.ts";
import { type SQL, sql } from "./drizzle.ts";

import type { Keyset } from "./keyset.ts";
import { isOutOfTime } from "./out-of-time.ts";

/** A list whose filters have no good index is not counted longer than this. */
const countingMs = 2_000;

/**
 * The list with its total, if the query asks for one. `rowsOf` is how the list finds its rows, where that is not by the
 * keyset's condition alone. At most one row more than `maxCounted` is read, by an index: for an account with few rows a scan
 * would read everybody's, and for one with many a sort reads all of them.
 */
export async function withTotal<Answer extends List<unknown>>(
  queries: Queries,
  { whole }: Keyset,
  list: Answer,
  rowsOf: (whole: Keyset) => SQL = rowsOfTable,
): Promise<Answer> {
  if (!whole) return list;
  const seen = await countRows(queries, rowsOf(whole), whole.limit);
  if (seen === null) return list;
  return { ...list, total: { count: Math.min(seen, maxCounted), more: seen > maxCounted } };
}

function rowsOfTable({ idColumn, where }: Keyset): SQL {
  return sql`select 1 from ${idColumn.table} where ${where ?? sql`true`}`;
}

/** Null: it took too long. */
async function countRows(queries: Queries, rowsOf: SQL, limit: number): Promise<number | null> {
  try {
    return await queries.transaction(async (transaction) => {
      await transaction.execute(
        sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
          set_config('statement_timeout', ${String(countingMs)}, true)`,
      );
      const { rows } = await transaction.execute<{ seen: number }>(
        sql`select count(*)::int as seen from (select from (${rowsOf}) as found limit ${limit}) counted`,
      );
      return rows[0]?.seen ?? 0;
    });
  } catch (error) {
    if (isOutOfTime(error)) return null;
    throw error;
  }
}
