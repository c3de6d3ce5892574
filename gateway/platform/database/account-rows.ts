import type { List } from "#contract/list.ts";
import type { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "./database.ts";
import { and, eq, type PgColumn, type PgSelect, type PgTable, type SQL, sql } from "./drizzle.ts";
import { type Keyset, listOf, withTotal } from "./keyset.ts";

/** A table whose rows belong to accounts. */
export type AccountTable = PgTable & { id: PgColumn; accountId: PgColumn };

interface Sought {
  accountId: string;
  id: string;
  /** Another condition, such as not being deleted. */
  also?: SQL | undefined;
  /** Locks the row until the transaction ends. */
  lock?: "update" | "no key update" | "share" | undefined;
}

/**
 * One row of an account by its id. Throws `notFound()` if there is none, and also for a row of another
 * account.
 */
export async function findOwn<Table extends AccountTable>(
  queries: Queries,
  table: Table,
  { accountId, id, also, lock }: Sought,
  notFound: () => ApiError,
): Promise<Table["$inferSelect"]> {
  const query = queries
    .select()
    .from(table as PgTable)
    .where(and(eq(table.id, id), eq(table.accountId, accountId), also))
    .$dynamic();
  const [row] = await (lock ? query.for(lock) : query);
  if (!row) throw notFound();
  return row;
}

type RowOf<Query extends PgSelect> = Awaited<Query>[number];

/**
 * Reads a page of a list, with the total if the query requests it. `query` selects the rows of the list and
 * is made with drizzle's `$dynamic()`; `viewsOf` returns the public view of each row, in the same order.
 * `rowsOf` as in `withTotal`.
 */
export async function readPage<Query extends PgSelect, Item extends { id: string }>(
  queries: Queries,
  page: Keyset,
  query: Query,
  viewsOf: (rows: RowOf<Query>[]) => Item[] | Promise<Item[]>,
  rowsOf?: (whole: Keyset) => SQL,
): Promise<List<Item>> {
  const rows: RowOf<Query>[] = await query.where(page.where).orderBy(page.order).limit(page.limit);
  return withTotal(
    queries,
    page,
    listOf(page, await viewsOf(rows), (item) => item),
    rowsOf,
  );
}

/** Locks this name until the transaction ends. Waits while another transaction has locked it. */
export async function lockName(queries: Queries, name: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** As `lockName`, except that transactions which share a lock do not wait for each other. */
export async function shareLock(queries: Queries, name: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`);
}

/** Sorts after every id, because each id starts with a lower-case name and an underscore. */
export const beyondIds = "zzzz";

interface ByKind {
  accountId: string;
  /** The index's condition, if it is a partial index. */
  among?: SQL;
  /** The columns of the index between account and id, which make up the kind; none may be null. */
  parts: readonly (PgColumn | SQL)[];
  /** The conditions for the wanted kinds, given their columns. */
  wanted: (...kind: SQL[]) => (SQL | undefined)[];
  page: Keyset;
}

/**
 * Builds a query for the ids of a page of a table whose rows fall into few kinds. The query finds the
 * account's kinds by skipping through the index, and reads the newest rows of each: a rare or absent kind
 * costs no more than a common one, and one index serves every combination of filters. A query that only
 * counts does not sort, and stops at its limit.
 */
export function idsByKind(table: AccountTable, { accountId, among, parts, wanted, page }: ByKind): SQL {
  const ofAccount = and(eq(table.accountId, accountId), among);
  const columns = list(parts.map((part) => sql`${part}`));
  const named = list(parts.map((part, index) => sql`${part} as ${nameOf(index)}`));
  const kind = parts.map((_, index) => sql`kind.${nameOf(index)}`);
  // The columns are compared and ordered as one tuple, so that only this index can provide the rows. With
  // only the id, the planner could use the primary key, and for a kind without rows beyond the cursor it
  // would read the whole table to find none.
  const place = sql`(${columns}, ${table.id})`;
  const { from = "", below = beyondIds } = page.between;
  const isOfKind = [
    sql`${place} >= (${list(kind)}, ${from}::text)`,
    sql`${place} < (${list(kind)}, ${below}::text)`,
  ];
  const direction = page.reversed ? sql`asc` : sql`desc`;
  const inTurn = list([...parts, table.id].map((column) => sql`${column} ${direction}`));
  return sql`(
    with recursive kind as (
      (select ${named} from ${table} where ${ofAccount} order by ${columns} limit 1)
      union all
      select further.* from kind cross join lateral (
        select ${named} from ${table} where ${ofAccount} and (${columns}) > (${list(kind)})
        order by ${columns} limit 1
      ) further
    )
    select newest.id from kind cross join lateral (
      select ${table.id} from ${table} where ${and(page.where, among, ...isOfKind)}
      order by ${inTurn} limit ${page.limit}
    ) newest
    where ${and(...wanted(...kind)) ?? sql`true`}
    ${page.isWhole ? sql`` : sql`order by newest.id ${direction}`} limit ${page.limit})`;
}

function nameOf(index: number): SQL {
  return sql`${sql.identifier(`part_${index}`)}`;
}

function list(items: SQL[]): SQL {
  return sql.join(items, sql`, `);
}
