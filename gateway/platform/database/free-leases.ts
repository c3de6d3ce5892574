import type pg from "pg";
import { type SQL, sql } from "./drizzle.ts";

/** Statements that end leases, one per table of jobs. The caller appends a condition on `lease_owner`. */
const statements = [
  "update predictions set lease_owner = null, lease_expires_at = null where lease_owner",
  "update batch_rows set lease_owner = null, lease_expires_at = null where status = 'running' and lease_owner",
  "update copies set lease_owner = null, lease_expires_at = null where status = 'copying' and lease_owner",
  "update response_jobs set lease_owner = null, lease_expires_at = null, next_check_at = least(next_check_at, now()) where lease_owner",
];

/** Ends the leases of all earlier processes. Only for the database's owner, before it starts any process. */
export async function freeAllLeases(pool: pg.Pool): Promise<void> {
  for (const statement of statements) await pool.query(`${statement} is not null`);
  await pool.query("delete from gateway_processes");
  await pool.query("delete from drained_nodes where id like '%:%'");
}

/** Ends the leases of a process that no longer exists. */
export async function freeLeasesOf(pool: pg.Pool, instance: string): Promise<void> {
  for (const statement of statements) await pool.query(`${statement} = $1`, [instance]);
}

/** A time by the database's clock, `ms` from now. */
export function fromNow(ms: number): SQL<Date> {
  return sql`now() + make_interval(secs => ${ms / 1000})`;
}
