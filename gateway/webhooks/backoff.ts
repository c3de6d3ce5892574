export interface BackoffSettings {
  backoffBaseMs: number;
  backoffFactor: number;
}

const jitter = { min: 0.8, max: 1.2 };
/** A receiver's `Retry-After` may stretch a delay this far. */
const retryAfterStretch = 2;

/**
 * Milliseconds to wait after failed attempt `attempt` (1 is the first): base × factor^(attempt−1) × U(0.8, 1.2),
 * raised by the receiver's `Retry-After` to at most twice that.
 */
export function backoffMs(
  attempt: number,
  settings: BackoffSettings,
  retryAfterMs: number | null = null,
  random: () => number = Math.random,
): number {
  const spread = jitter.min + random() * (jitter.max - jitter.min);
  const delayMs = settings.backoffBaseMs * settings.backoffFactor ** (attempt - 1) * spread;
  if (retryAfterMs === null) return delayMs;
  return Math.min(Math.max(delayMs, retryAfterMs), delayMs * retryAfterStretch);
}

/** `Retry-After` as milliseconds from now: seconds or an HTTP date; null when absent or neither. */
export function readRetryAfter(value: string | undefined, now: number = Date.now()): number | null {
  if (value === undefined) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}
