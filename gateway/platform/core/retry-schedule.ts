/**
 * The waits between tries of one kind of work. Each kind has its own schedule, next to the code that retries.
 */
export interface RetrySchedule {
  /** The wait after the first failure. */
  firstMs: number;
  /** Each further wait is this many times the previous one. */
  factor: number;
  /** The longest wait, before the jitter. */
  maxMs?: number;
  /**
   * Each wait is multiplied by a random number in this range, so that jobs that failed together are not
   * retried together.
   */
  jitter?: { min: number; max: number };
}

/** Milliseconds to wait after the given number of consecutive failures, from 1. `random` returns 0 to 1. */
export function retryWaitMs(
  { firstMs, factor, maxMs = Number.POSITIVE_INFINITY, jitter }: RetrySchedule,
  failures: number,
  random: () => number = Math.random,
): number {
  const waitMs = Math.min(maxMs, firstMs * factor ** (failures - 1));
  return jitter ? waitMs * (jitter.min + random() * (jitter.max - jitter.min)) : waitMs;
}

/** `Retry-After` as milliseconds from now: seconds, also with decimals, or an HTTP date; null when absent or neither. */
export function readRetryAfter(
  header: string | string[] | undefined,
  now: number = Date.now(),
): number | null {
  const value = String(header ?? "");
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}
