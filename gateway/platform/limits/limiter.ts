/** A token bucket: bursts of up to `count`, refilled evenly by `count` every `periodMs`. */
export interface Limit {
  /** Distinguishes different limits of one subject. */
  name: string;
  count: number;
  periodMs: number;
}

export interface Taken {
  allowed: boolean;
  /** How many more are allowed right now. */
  remaining: number;
  /** Milliseconds until as many are allowed as were asked for; 0 if they are now. */
  retryAfterMs: number;
  /** Milliseconds until the whole count is available again. */
  resetMs: number;
}

/** Releases an occupied slot; null: all are occupied. */
export type Place = (() => void) | null;

/**
 * Counts all limits, jointly for all processes of a database. A subject is anything with a limit: a key, a
 * session, an address. Each process leases tokens in advance, so that a busy subject does not need a query
 * per request. While the database is unavailable the leased tokens are used up; then all calls fail. Taking a
 * leased token is synchronous, without a promise.
 */
export interface Limiter {
  /** Counts one, or `count`, unless the limit has no room for them. */
  take(subject: string, limit: Limit, count?: number): Taken | Promise<Taken>;
  /** Returns what turned out not to count. */
  giveBack(subject: string, limit: Limit, count?: number): Promise<void>;
  /** Counts what was used without being taken, even beyond the limit: nothing is allowed until it has passed. */
  charge(subject: string, limit: Limit, count: number): void;
  /** Clears the subject's count. */
  reset(subject: string, limit: Limit): Promise<void>;
  /**
   * Occupies one of the subject's `places` until the returned function is called; null if all are occupied.
   */
  occupy(subject: string, places: number): Place | Promise<Place>;
  /** Returns everything leased and unused. */
  close(): Promise<void>;
}
