import { type SQL, sql } from "./drizzle.ts";

/** A time in the database's own clock, `ms` from now. */
export function fromNow(ms: number): SQL<Date> {
  return sql`now() + make_interval(secs => ${ms / 1000})`;
}
