import { firstIdAt, type IdKind } from "#contract/ids.ts";
import { type List, maxCounted, type PageQuery } from "#contract/list.ts";
import { pageLimit } from "#contract/list-constants.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "./database.ts";
import { and, asc, desc, eq, gt, gte, lt, type PgColumn, type SQL, sql } from "./drizzle.ts";
import { isOutOfTime } from "./failed-query.ts";

/** How to read one page of rows whose ids sort by time, newest first. */
export interface Keyset {
  where: SQL | undefined;
  order: SQL;
  limit: number;
  /** Whether the rows come oldest first and must be reversed (`before`). */
  reversed: boolean;
  /** The range of ids of the page, from the cursor and times: `from` is included, `below` is not. */
  between: { from: string | undefined; below: string | undefined };
  /** The query of the whole list, up to the counting limit (`maxCounted`); null: no total was requested. */
  whole: Keyset | null;
  isWhole: boolean;
  idColumn: PgColumn;
}

/** A column to sort by before the id. */
interface Sorting {
  column: PgColumn;
  /** The rows that a cursor may name, whether or not they still match the filters. */
  among: SQL;
}

/**
 * The `where`, order and limit of a page; `idColumn` holds ULID ids of this kind. One row more than the page
 * is read, to know whether there are more. With `sortedBy` the rows with the largest value of that column
 * come first. Throws `invalid_cursor`, and `invalid_parameter` for an invalid time.
 */
export function keyset(
  kind: IdKind,
  idColumn: PgColumn,
  page: PageQuery,
  filter: (SQL | undefined)[],
  sortedBy?: Sorting,
): Keyset {
  for (const name of ["after", "before"] as const) {
    const cursor = page[name];
    if (cursor !== undefined && !/^[a-z]+_[0-9a-z]{26}$/.test(cursor))
      throw new ApiError("invalid_cursor", `${name} must be an id from this list.`, { param: name });
  }
  if (page.after !== undefined && page.before !== undefined)
    throw new ApiError("invalid_cursor", "Send either `after` or `before`, not both.", { param: "before" });
  const { count, after: _, before: __, ...unplaced } = page;
  const whole = count ? keyset(kind, idColumn, unplaced, filter) : null;
  const reversed = page.before !== undefined;
  const { from, below } = idsOfTimes(kind, page);
  const both = sortedBy && sql`${sortedBy.column}, ${idColumn}`;
  const placed = both ? sql`(${both})` : sql`${idColumn}`;
  const place = (cursor: string) =>
    both
      ? sql`(select ${both} from ${idColumn.table} where ${and(eq(idColumn, cursor), sortedBy.among)})`
      : cursor;
  const direction = reversed ? asc : desc;
  return {
    where: and(
      ...filter,
      page.after === undefined ? undefined : lt(placed, place(page.after)),
      page.before === undefined ? undefined : gt(placed, place(page.before)),
      from === undefined ? undefined : gte(idColumn, from),
      below === undefined ? undefined : lt(idColumn, below),
    ),
    order: sortedBy ? sql`${direction(sortedBy.column)}, ${direction(idColumn)}` : direction(idColumn),
    limit: (page.limit ?? pageLimit.default) + 1,
    reversed,
    between: {
      from: [page.before, from]
        .filter((id) => id !== undefined)
        .sort()
        .at(-1),
      below: [page.after, below].filter((id) => id !== undefined).sort()[0],
    },
    whole: whole && { ...whole, limit: maxCounted + 1, isWhole: true },
    isWhole: false,
    idColumn,
  };
}

/**
 * Converts the times of a query to ids: the first id since, and the first id to exclude. Throws
 * `invalid_parameter`.
 */
export function idsOfTimes(
  kind: IdKind,
  { created_after: after, created_before: before }: Pick<PageQuery, "created_after" | "created_before">,
): { from: string | undefined; below: string | undefined } {
  return {
    from: after === undefined ? undefined : firstIdFrom(kind, "created_after", after),
    below: before === undefined ? undefined : firstIdFrom(kind, "created_before", before),
  };
}

/** The lowest id at the time that a filter names. Throws `invalid_parameter`. */
function firstIdFrom(kind: IdKind, param: string, text: string): string {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs) || atMs < 0)
    throw invalidParameter(param, `${param} must be a time like 2026-11-20T10:00:00Z`);
  return firstIdAt(kind, atMs);
}

/** The list envelope for the rows of a keyset query. */
export function listOf<Row, Item extends { id: string }>(
  page: Keyset,
  rows: Row[],
  view: (row: Row) => Item,
): List<Item> {
  const hasMore = rows.length === page.limit;
  const kept = hasMore ? rows.slice(0, -1) : rows;
  const data = (page.reversed ? kept.toReversed() : kept).map(view);
  return {
    object: "list",
    data,
    has_more: hasMore,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

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
