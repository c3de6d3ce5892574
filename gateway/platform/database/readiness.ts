import type pg from "pg";
import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";

/** A commit that has waited this long for its stand-by: writes do not go through. */
const stuckCommit = "2 seconds";
const question = `
  select current_setting('transaction_read_only') = 'off' and not exists (
    select from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep'
      and query_start < clock_timestamp() - interval '${stuckCommit}') as ready`;

/** PostgreSQL's state for a write that found no room. */
export const diskFullState = "53100";
/** While the disk is full, this process tries a write this often. */
const tryWriteEveryMs = 5_000;
/**
 * In one transaction, so that nobody sees the rows. It needs new pages: an update may find room in old ones while every
 * insert fails.
 */
const smallWrite = `
  insert into notice_causes (id, cause, data)
  select 'room ' || gen_random_uuid(), 'database.disk', jsonb_build_object('filler', repeat('x', 1000))
  from generate_series(1, 100);
  delete from notice_causes where id like 'room %'`;

/**
 * Asks whether the database takes writes, on its own connection, so that waiting requests cannot delay the
 * answer. Asking again before an answer came is the same question. After a write that found the disk full it does not,
 * until a small one succeeds.
 */
export class Readiness {
  private readonly pool: pg.Pool;
  private readonly log: Logger;
  private asking: Promise<boolean> | null = null;
  private fullSince: Date | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, log: Logger) {
    this.pool = pool;
    this.log = log;
  }

  get diskFullSince(): Date | null {
    return this.fullSince;
  }

  isReady(): Promise<boolean> {
    if (this.fullSince) return Promise.resolve(false);
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

  /** A write found no room. */
  diskIsFull(): void {
    if (this.fullSince) return;
    this.fullSince = clock.date();
    this.log.error("the disk of the database is full, so nothing can be saved: free some space on it");
    this.tryLater();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private tryLater(): void {
    this.timer = setTimeout(() => void this.tryWrite(), tryWriteEveryMs);
    this.timer.unref();
  }

  private async tryWrite(): Promise<void> {
    try {
      await this.pool.query(smallWrite);
    } catch (error) {
      const { code = "" } = error as { code?: string };
      // Without an answer it is as full as before; another refusal does not concern the disk.
      if (code === diskFullState || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57)/.test(code))
        return this.tryLater();
    }
    this.fullSince = null;
    this.log.info("the disk of the database has room again");
  }
}
