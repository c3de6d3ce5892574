import type { Sweep } from "#gateway/core/sweeps.ts";

const batchSize = 2_000;

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
  const sql = `
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${dueAt} < now() - ${after}
      order by ${dueAt} limit ${batchSize} for update skip locked))`;
  return {
    kind,
    run: async ({ database }) => (await database.pool.query(sql)).rowCount === batchSize,
    oldestDue: `select min(${dueAt}) + ${after} from ${table}`,
  };
}
