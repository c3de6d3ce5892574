import pg from "pg";
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

export interface ConnectionConfig extends pg.ClientConfig {
  /** Called when the server's disk is full. */
  diskIsFull?: () => void;
}

declare module "pg" {
  interface Client {
    /** Not in pg's types. */
    _handleErrorEvent(error: Error): void;
  }
}

type Answered = (error: Error | null, result?: pg.QueryResult) => void;

/** The server became a stand-by or was set to read-only. */
const readOnlyState = "25006";

const brokenSocket = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/**
 * The error of a socket that broke, in words that say it was the database's: a client's socket fails with the
 * same codes. Other errors stay what they are.
 */
function namedAsLost(error: NodeJS.ErrnoException): Error {
  if (error.syscall === "connect" || !brokenSocket.has(error.code ?? "")) return error;
  return new Error(`Connection terminated: ${error.message}`, { cause: error });
}

/** A server parameter that PostgreSQL reports at the start of a connection and at each change. */
const standbyParameter = "in_hot_standby";

/**
 * A connection to a primary; it ends if the server turns out to be a stand-by. A query that exceeds
 * `query_timeout` (milliseconds) fails together with its connection, whose state is then unknown.
 *
 * pg's own time-out and promises write a closure directly into a property. V8 allocates such closures as old,
 * and whatever an old object references, here every row and value of its query, survives minor collections
 * until the next full one. That made webhook deliveries 8 % slower.
 */
export class Connection extends pg.Client {
  private readonly timeoutMs: number;
  private readonly diskIsFull: (() => void) | undefined;

  constructor(config: ConnectionConfig = {}) {
    super({ ...config, query_timeout: 0 });
    this.timeoutMs = config.query_timeout ?? 0;
    this.diskIsFull = config.diskIsFull;
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === standbyParameter && parameterValue === "on")
        this.breakOff("Connection terminated: the server is a stand-by");
    });
  }

  /** Called by pg when the connection breaks; pending connects and queries fail with the error. */
  override _handleErrorEvent(error: Error): void {
    super._handleErrorEvent(namedAsLost(error));
  }

  /**
   * (query, values?, callback?), as in pg; without a callback it returns a promise. Omitted values stay
   * undefined.
   */
  override query(query: never, ...rest: never[]): never {
    const given: readonly unknown[] = rest;
    const values = given.find((value) => Array.isArray(value)) as unknown[];
    const callback = given.find((value) => typeof value === "function") as Answered | undefined;
    return (callback ? this.ask(query, values, callback) : this.promise(query, values)) as never;
  }

  private async promise(query: string, values: unknown[]): Promise<pg.QueryResult | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult | undefined>();
    this.ask(query, values, (error, result) => (error ? reject(error) : resolve(result)));
    try {
      return await promise;
    } catch (error) {
      // Without this the stack would show the socket instead of the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  private ask(query: string, values: unknown[], callback: Answered): void {
    let timer: NodeJS.Timeout | undefined;
    let isAnswered = false;
    // On a busy machine the answer may have come before the time was over: it is read before the time counts.
    const check = () => setImmediate(() => isAnswered || this.timeOut());
    if (this.timeoutMs > 0) timer = setTimeout(check, this.timeoutMs);
    super.query(query, values, (error, result) => {
      clearTimeout(timer);
      isAnswered = true;
      const state = (error as { code?: string } | null)?.code;
      // Ends the connection before the caller can return it to its pool.
      if (state === readOnlyState) this.end().catch(() => {});
      if (state === diskFullState) this.diskIsFull?.();
      callback(error, result);
    });
  }

  private timeOut(): void {
    this.breakOff(`No answer from the database within ${this.timeoutMs} ms`);
  }

  private breakOff(reason: string): void {
    this.connection.stream.destroy(new Error(reason));
  }
}
