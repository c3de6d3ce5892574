import { firstIdAt, type IdKind } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";

const batchSize = 2_000;
const dayMs = 86_400_000;

interface ExpiringRows {
  kind: string;
  table: string;
  /** The column of an index that says when a row's time is over. */
  dueAt: string;
  /** How much longer a row stays. */
  afterSeconds?: number;
}

/** Deletes the rows of a table whose time is over. */
export function rowSweep({ kind, table, dueAt, afterSeconds = 0 }: ExpiringRows): Sweep {
  const after = `interval '${afterSeconds} seconds'`;
  const sql = deletion(table, `${dueAt} < now() - ${after} order by ${dueAt}`);
  return {
    kind,
    run: async ({ database }) => isFullBatch(await database.pool.query(sql)),
    oldestDue: () => `select min(${dueAt}) + ${after} from ${table}`,
  };
}

interface AgingRows {
  kind: string;
  table: string;
  /** Of its primary key, which sorts by time. */
  idKind: IdKind;
  /** The column with a row's time. */
  at: string;
  /** How long rows are kept; null for ever. */
  days: (context: Context) => number | null;
  /** SQL: which of the old rows may go. */
  mayGo?: string;
}

/** Deletes the old rows of a table that only grows; they are found by their ids. */
export function agedRowSweep(rows: AgingRows): Sweep {
  const { kind, table, idKind, at, days, mayGo = "true" } = rows;
  const sql = deletion(table, `id < $1 and ${mayGo} order by id`);
  return {
    kind,
    async run(context) {
      const kept = days(context);
      if (kept === null) return false;
      const floor = firstIdAt(idKind, clock.now() - kept * dayMs);
      return isFullBatch(await context.database.pool.query(sql, [floor]));
    },
    oldestDue(context) {
      const kept = days(context);
      if (kept === null) return null;
      return `select ${at} + interval '${kept} days' from ${table} where ${mayGo} order by id limit 1`;
    },
  };
}

/** The rows that match are locked, except those of another process, and so cannot change before they go. */
export function deletion(table: string, matching: string): string {
  return `delete from ${table} where ctid = any (array(
    select ctid from ${table} where ${matching} limit ${batchSize} for update skip locked))`;
}

/** Whether more may be left. */
export function isFullBatch({ rowCount }: { rowCount: number | null }): boolean {
  return rowCount === batchSize;
}
