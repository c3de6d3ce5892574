import type pg from "pg";
import type { NodePgDatabase } from "./drizzle.ts";
import type * as schema from "./schema.ts";

/** Typed queries, or a transaction of them: verbs that must share a transaction take one of these. */
export type Queries = Omit<NodePgDatabase<typeof schema>, "$client">;

export interface SteadyPoolOptions {
  /** Instead of the usual time-out of a query. */
  queryTimeoutMs?: number;
  /** Instead of the usual time after which the server ends a statement. */
  statementTimeoutMs?: number;
  /** A commit does not wait for the disk: a power failure may undo the last half second. */
  isRelaxed?: boolean;
}

/** The one database of the gateway: the embedded server or the one behind DATABASE_URL. */
export interface Database {
  queries: Queries;
  pool: pg.Pool;
  /**
   * A separate pool for a few named statements that run all the time: each is planned once per connection, for
   * small sets of rows that are found by index. The caller must end it.
   */
  openSteadyPool(max: number, options?: SteadyPoolOptions): pg.Pool;
  transaction<Result>(run: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Calls back on every NOTIFY of the channel, and once after each reconnect (something may have been missed). */
  listen(channel: string, notified: (payload: string) => void): Promise<() => void>;
  /** Whether notifications arrive now: not while their connection is silent or re-established. */
  isListening(): boolean;
  /** Whether the database takes writes now; the answer comes within seconds. */
  isReady(): Promise<boolean>;
  /** Since when writes have found its disk full; null: they find room. */
  readonly diskFullSince: Date | null;
  /** Best-effort wake-up of listeners after a commit; debounced, never throws. */
  notify(channel: string, payload?: string): void;
  close(): Promise<void>;
}
