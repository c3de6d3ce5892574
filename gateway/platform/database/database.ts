import type pg from "pg";
import type { NodePgDatabase } from "./drizzle.ts";
import type * as schema from "./schema.ts";

/**
 * Typed queries, or a transaction of them: verbs that must share a transaction take one of these as argument.
 */
export type Queries = Omit<NodePgDatabase<typeof schema>, "$client">;

export interface SteadyPoolOptions {
  /** Replaces the default time-out of a query. */
  queryTimeoutMs?: number;
  /** Replaces the default time after which the server ends a statement. */
  statementTimeoutMs?: number;
  /** Commits do not wait for the disk: a power failure may lose the last half second. */
  isRelaxed?: boolean;
}

/** The one database of the gateway: the embedded server or the one behind DATABASE_URL. */
export interface Database {
  queries: Queries;
  pool: pg.Pool;
  /**
   * A separate pool for a few named statements that run continuously: each is planned once per connection,
   * for small sets of rows found by an index. The caller must end it.
   */
  openSteadyPool(max: number, options?: SteadyPoolOptions): pg.Pool;
  transaction<Result>(run: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Calls back on every NOTIFY of the channel, and once after each reconnect (notifications may have been
   * missed).
   */
  listen(channel: string, notified: (payload: string) => void): Promise<() => void>;
  /** Whether notifications currently arrive; false while their connection is silent or reconnecting. */
  isListening(): boolean;
  /** Whether the database accepts writes now; the answer takes at most a few seconds. */
  isReady(): Promise<boolean>;
  /** Since when writes have failed because the database's disk is full; null if they succeed. */
  readonly diskFullSince: Date | null;
  /** Since when the database has not answered at all; null while it does. Known without asking it. */
  readonly silentSince: Date | null;
  /** Best-effort wake-up of listeners after a commit; debounced, never throws. */
  notify(channel: string, payload?: string): void;
  close(): Promise<void>;
}
