/** How long one kind of work waits between its tries. Each kind has its own, beside the code that tries again. */
export interface RetrySchedule {
  /** The wait after the first failure. */
  firstMs: number;
  /** Each further wait is this many times the one before. */
  factor: number;
  /** The longest wait, before the jitter. */
  maxMs?: number;
  /** Each wait is multiplied by a random number of this range, so that what failed together is not tried together. */
  jitter?: { min: number; max: number };
}

/** Milliseconds to wait after the given number of failures in a row; 1 is the first. `random` answers 0 to 1. */
export function retryWaitMs(
  { firstMs, factor, maxMs = Number.POSITIVE_INFINITY, jitter }: RetrySchedule,
  failures: number,
  random: () => number = Math.random,
): number {
  const waitMs = Math.min(maxMs, firstMs * factor ** (failures - 1));
  return jitter ? waitMs * (jitter.min + random() * (jitter.max - jitter.min)) : waitMs;
}
