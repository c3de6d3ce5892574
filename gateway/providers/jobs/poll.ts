/** An upstream is asked sooner in the first seconds of a job and then ever more rarely. */
const pollMs = { min: 2_000, max: 15_000, agePart: 10 } as const;

/** When to ask again about a job that was started at `startedAt` (ms since the epoch). */
export function pollAfterMs(startedAt: unknown, minMs: number = pollMs.min): number {
  const ageMs = typeof startedAt === "number" ? Date.now() - startedAt : 0;
  return Math.min(pollMs.max, Math.max(minMs, ageMs / pollMs.agePart));
}

/**
 * The questions that one account may ask per second, shared by all its jobs in this process. Whoever gets no turn asks
 * again later, spread out.
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

  /** Null when the question may be asked now, else after how many milliseconds to come back. */
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
