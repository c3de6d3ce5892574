import { firstIdAt, type IdKind } from "#contract/ids.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";

const batchSize = 2_000;
const dayMs = 86_400_000;

interface ExpiringRows {
  kind: string;
  table: string;
  /** An indexed column with a row's expiry. */
  dueAt: string;
  /** How much longer a row stays after its expiry. */
  afterSeconds?: number;
}

/** Deletes expired rows of a table. */
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
  /** The kind of its primary key, which sorts by time. */
  idKind: IdKind;
  /** The column with a row's time. */
  at: string;
  /** How long rows are kept; null: for ever. */
  days: (context: PlatformContext) => number | null;
  /** SQL condition: which old rows may be deleted. */
  mayGo?: string;
}

/** Deletes the old rows of a table that only grows, found by their ids. */
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

/**
 * Locks the matching rows, except those locked by another process, so that they cannot change before they are
 * deleted.
 */
export function deletion(table: string, matching: string): string {
  return `delete from ${table} where ctid = any (array(
    select ctid from ${table} where ${matching} limit ${batchSize} for update skip locked))`;
}

/** Whether more expired rows may be left, because the batch was full. */
export function isFullBatch({ rowCount }: { rowCount: number | null }): boolean {
  return rowCount === batchSize;
}
