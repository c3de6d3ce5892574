import { clock } from "#gateway/platform/core/clock.ts";

/** A job is polled often in its first seconds, then at growing intervals. */
const pollMs = { min: 2_000, max: 15_000, agePart: 10 } as const;

/** When to poll a job again that started at `startedAt` (ms since the epoch). */
export function pollAfterMs(startedAt: unknown, minMs: number = pollMs.min): number {
  const ageMs = typeof startedAt === "number" ? clock.now() - startedAt : 0;
  return Math.min(pollMs.max, Math.max(minMs, ageMs / pollMs.agePart));
}

/**
 * Limits one account's polls per second, shared by all its jobs in this process. A job that gets no turn is
 * polled later, at a random moment.
 */
export class PollBudget {
  private readonly perSecond: number;
  private readonly now: () => number;
  private tokens: number;
  private at: number;

  constructor(perSecond: number, now: () => number = Date.now) {
    this.perSecond = perSecond;
    this.now = now;
    this.tokens = perSecond;
    this.at = now();
  }

  /** Null when the job may be polled now, otherwise the milliseconds to wait. */
  take(): number | null {
    const now = this.now();
    const burst = Math.max(1, this.perSecond);
    this.tokens = Math.min(burst, this.tokens + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      return null;
    }
    return Math.ceil(((1 - this.tokens) / this.perSecond) * 1000 + Math.random() * 1000);
  }
}
