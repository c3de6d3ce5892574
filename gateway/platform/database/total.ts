import { maxCounted } from "#contract/counted.ts";
import type { List } from "#contract/list.ts";
import type { Queries } from "./database.ts";
import { type SQL, sql } from "./drizzle.ts";

import type { Keyset } from "./keyset.ts";
import { isOutOfTime } from "./out-of-time.ts";

/** Counting stops after this time, for lists whose filters have no good index. */
const countingMs = 2_000;

/**
 * The list with its total, if the query asks for one. Pass `rowsOf` if the keyset's condition does not
 * suffice to find the list's rows. Reads at most one row more than `maxCounted`, by an index: for an account
 * with few rows a scan would read all accounts' rows, and for one with many a sort would read all of its own.
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

/** Null if counting took too long. */
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
