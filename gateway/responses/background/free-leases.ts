import type pg from "pg";

const freeSql =
  "update response_jobs set lease_owner = null, lease_expires_at = null, next_check_at = least(next_check_at, now()) where lease_owner";

/** Ends the leases of all earlier processes, as `freeAllLeases` of predictions. */
export async function freeAllJobLeases(pool: pg.Pool): Promise<void> {
  await pool.query(`${freeSql} is not null`);
}

/** Ends the leases of a process that is gone. */
export async function freeJobLeasesOf(pool: pg.Pool, instance: string): Promise<void> {
  await pool.query(`${freeSql} = $1`, [instance]);
}
