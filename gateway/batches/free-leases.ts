import type pg from "pg";

const freeSql =
  "update batch_rows set lease_owner = null, lease_expires_at = null where status = 'running' and lease_owner";

/** Ends the leases of all earlier processes, as `freeAllLeases` of predictions. */
export async function freeAllRowLeases(pool: pg.Pool): Promise<void> {
  await pool.query(`${freeSql} is not null`);
}

/** Ends the leases of a process that is gone. */
export async function freeRowLeasesOf(pool: pg.Pool, instance: string): Promise<void> {
  await pool.query(`${freeSql} = $1`, [instance]);
}
