import type pg from "pg";
import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";

/** A commit that has waited this long for its stand-by shows that the database accepts no writes. */
const stuckCommit = "2 seconds";
const question = `
  select current_setting('transaction_read_only') = 'off' and not exists (
    select from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep'
      and query_start < clock_timestamp() - interval '${stuckCommit}') as ready`;

/** PostgreSQL's state for a write that failed on a full disk. */
export const diskFullState = "53100";
/** How often this process tries a write while the disk is full. */
const tryWriteEveryMs = 5_000;
/**
 * In one transaction, so that the rows are never visible. The write must need new pages: an update may find
 * room in old pages while every insert fails.
 */
const smallWrite = `
  insert into notice_causes (id, cause, data)
  select 'room ' || gen_random_uuid(), 'database.disk', jsonb_build_object('filler', repeat('x', 1000))
  from generate_series(1, 100);
  delete from notice_causes where id like 'room %'`;

/**
 * Checks whether the database accepts writes, on its own connection, so that waiting requests cannot delay
 * the answer. Concurrent calls share one check. After a write failed on a full disk the answer is no, until a
 * small write succeeds.
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

  /** Call when a write failed on a full disk. */
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
      // The disk counts as full until the database answers. An error for another reason shows that there is
      // room.
      if (code === diskFullState || !/^[0-9A-Z]{5}$/.test(code) || /^(08|57)/.test(code))
        return this.tryLater();
    }
    this.fullSince = null;
    this.log.info("the disk of the database has room again");
  }
}
