import type pg from "pg";
import { type SQL, sql } from "./drizzle.ts";

/** What frees the leases of each table whose rows are jobs: a condition on the owner follows. */
const statements = [
  "update predictions set lease_owner = null, lease_expires_at = null where lease_owner",
  "update batch_rows set lease_owner = null, lease_expires_at = null where status = 'running' and lease_owner",
  "update copies set lease_owner = null, lease_expires_at = null where status = 'copying' and lease_owner",
  "update response_jobs set lease_owner = null, lease_expires_at = null, next_check_at = least(next_check_at, now()) where lease_owner",
];

/** Ends the leases of all earlier processes, which are gone: only for the owner of the database, before it starts any. */
export async function freeAllLeases(pool: pg.Pool): Promise<void> {
  for (const statement of statements) await pool.query(`${statement} is not null`);
  await pool.query("delete from gateway_processes");
}

/** Ends the leases of a process that is gone. */
export async function freeLeasesOf(pool: pg.Pool, instance: string): Promise<void> {
  for (const statement of statements) await pool.query(`${statement} = $1`, [instance]);
}

/** A time in the database's own clock, `ms` from now. */
export function fromNow(ms: number): SQL<Date> {
  return sql`now() + make_interval(secs => ${ms / 1000})`;
}
