import { firstIdAt, type IdKind } from "#contract/ids.ts";
import { type Counted, maxCounted } from "#contract/list.ts";
import type { Database, Queries } from "./database.ts";
import { and, count, eq, inArray, type PgColumn, type PgTable, type SQL, sql } from "./drizzle.ts";
import { notes } from "./schema.ts";

/** The latest time that an id can hold. */
const lastIdTimeMs = 2 ** 48 - 1;

/** A table with an index on account, status and id. */
type StatusTable = PgTable & { id: PgColumn; accountId: PgColumn; status: PgColumn };

interface Counting<Status extends string> {
  accountId: string;
  statuses: readonly Status[];
  kind: IdKind;
  sinceMs: number;
  /** Applied after the limit, so rows that do not match still count towards it. */
  matching?: SQL;
}

/**
 * The number of an account's rows in each status. At most the newest `maxCounted` rows of a status are read,
 * so the time does not grow with the table. Status and id are compared and ordered as a pair, so that
 * PostgreSQL uses their index: any other plan may read every row of the account to find a few.
 */
export async function countByStatus<Status extends string>(
  database: Database,
  table: StatusTable,
  counted: Counting<Status>,
): Promise<Record<Status, Counted>> {
  const { rows } = await database.transaction(async (queries) => {
    await queries.execute(sql`set local enable_sort = off`);
    return queries.execute<{ status: Status; count: number; seen: number }>(countStatement(table, counted));
  });
  return Object.fromEntries(
    rows.map(({ status, count, seen }) => [
      status,
      { count: Math.min(count, maxCounted), more: seen > maxCounted },
    ]),
  ) as Record<Status, Counted>;
}

export function countStatement<Status extends string>(
  table: StatusTable,
  { accountId, statuses, kind, sinceMs, matching = sql`true` }: Counting<Status>,
): SQL {
  return sql`
    select wanted.status, counted.count, counted.seen
    from unnest(${sql.param(statuses)}::text[]) as wanted(status)
    cross join lateral (
      select count(*) filter (where newest.matches)::int as count, count(*)::int as seen
      from (
        select ${matching} as matches from ${table}
        where ${table.accountId} = ${accountId}
          and (${table.status}, ${table.id}) >= (wanted.status, ${firstIdAt(kind, sinceMs)}::text)
          and (${table.status}, ${table.id}) < (wanted.status, ${firstIdAt(kind, lastIdTimeMs)}::text)
        order by ${table.status} desc, ${table.id} desc
        limit ${maxCounted + 1}
      ) newest
    ) counted`;
}

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
