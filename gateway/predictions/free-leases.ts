import type pg from "pg";

const freeSql = "update predictions set lease_owner = null, lease_expires_at = null where lease_owner";

/** Ends the leases of all earlier processes: only for the owner of the database, before it starts any. */
export async function freeAllLeases(pool: pg.Pool): Promise<void> {
  await pool.query(`${freeSql} is not null`);
}

/** Ends the leases of a process that is gone. */
export async function freeLeasesOf(pool: pg.Pool, instance: string): Promise<void> {
  await pool.query(`${freeSql} = $1`, [instance]);
}
