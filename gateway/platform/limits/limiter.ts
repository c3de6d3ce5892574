/** A token bucket: bursts of up to `count`, refilled evenly by `count` every `periodMs`. */
export interface Limit {
  /** Separates the counts of different limits of one subject. */
  name: string;
  count: number;
  periodMs: number;
}

export interface Taken {
  allowed: boolean;
  /** How many more may follow at once. */
  remaining: number;
  /** When the next one is allowed; 0 when it is now. */
  retryAfterMs: number;
  /** When the whole count is available again. */
  resetMs: number;
}

/** Leaves a place that was occupied; null: all are. */
export type Place = (() => void) | null;

/**
 * Counts all limits, over all processes of a database together. A subject is what is limited: a key, a session, an
 * address. Each process leases what it may allow, so that a busy subject costs no query per request. While the database
 * is away, the leases are used up; then everything here fails. What is leased is counted at once, without a promise.
 */
export interface Limiter {
  /** Counts one, unless nothing is left. */
  take(subject: string, limit: Limit): Taken | Promise<Taken>;
  /** Gives one back that turned out not to count. */
  giveBack(subject: string, limit: Limit): Promise<void>;
  /** Clears the subject's count. */
  reset(subject: string, limit: Limit): Promise<void>;
  /** Occupies one of the subject's `places` until the returned function is called; null when all are occupied. */
  occupy(subject: string, places: number): Place | Promise<Place>;
  /** Gives back all that is leased and not used. */
  close(): Promise<void>;
}
