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
