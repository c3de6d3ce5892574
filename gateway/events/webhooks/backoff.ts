import { retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";

export interface BackoffSettings {
  backoffBaseMs: number;
  backoffFactor: number;
}

const jitter = { min: 0.8, max: 1.2 };
/** The longest `Retry-After` that is obeyed: a longer one would hold an event beyond its retention. */
const maxRetryAfterMs = 3_600_000;

/**
 * Milliseconds to wait after failed attempt `attempt` (from 1): base × factor^(attempt−1) × U(0.8, 1.2), or
 * the receiver's `Retry-After` if that is longer, at most an hour.
 */
export function backoffMs(
  attempt: number,
  settings: BackoffSettings,
  retryAfterMs: number | null = null,
  random: () => number = Math.random,
): number {
  const schedule = { firstMs: settings.backoffBaseMs, factor: settings.backoffFactor, jitter };
  const delayMs = retryWaitMs(schedule, attempt, random);
  if (retryAfterMs === null) return delayMs;
  return Math.max(delayMs, Math.min(retryAfterMs, maxRetryAfterMs));
}
