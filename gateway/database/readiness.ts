import type pg from "pg";

/** A commit that has waited this long for its stand-by: writes do not go through. */
const stuckCommit = "2 seconds";
const question = `
  select current_setting('transaction_read_only') = 'off' and not exists (
    select from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep'
      and query_start < clock_timestamp() - interval '${stuckCommit}') as ready`;

/**
 * Asks whether the database takes writes, on its own connection, so that waiting requests cannot delay the
 * answer. Asking again before an answer came is the same question.
 */
export class Readiness {
  private readonly pool: pg.Pool;
  private asking: Promise<boolean> | null = null;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  isReady(): Promise<boolean> {
    this.asking ??= this.pool
      .query<{ ready: boolean }>(question)
      .then(
        ({ rows }) => rows[0]?.ready === true,
        () => false,
      )
      .finally(() => {
        this.asking = null;
      });
    return this.asking;
  }
}
