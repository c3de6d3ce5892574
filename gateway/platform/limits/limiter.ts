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
  /** Milliseconds until the next one is allowed; 0 if it is now. */
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
  /** Counts one, unless the limit is reached. */
  take(subject: string, limit: Limit): Taken | Promise<Taken>;
  /** Returns one that turned out not to count. */
  giveBack(subject: string, limit: Limit): Promise<void>;
  /** Clears the subject's count. */
  reset(subject: string, limit: Limit): Promise<void>;
  /**
   * Occupies one of the subject's `places` until the returned function is called; null if all are occupied.
   */
  occupy(subject: string, places: number): Place | Promise<Place>;
  /** Returns everything leased and unused. */
  close(): Promise<void>;
}
