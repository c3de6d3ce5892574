import { type RetrySchedule, retryWaitMs } from "./retry-schedule.ts";

/** This many failures in a row open it. */
const failuresToOpen = 5;
const cooldown: RetrySchedule = { firstMs: 30_000, factor: 2, maxMs: 300_000 };
/** A probe whose outcome was never reported (the client left) does not block the next one for longer. */
const probeTimeoutMs = 60_000;
/** How often an open one is probed while somebody else answers if the probe fails. */
const probeEveryMs = 5_000;

/** A request that may be sent: its end is reported to the breaker, or it leaves when the end says nothing of the upstream. */
export interface Passage {
  /** Lets another request probe, if this one was the probe and nothing was reported. */
  leave(): void;
  /** It finds out whether the upstream works again. */
  readonly isProbe: boolean;
}

/** Of a closed breaker. */
const freePassage: Passage = { isProbe: false, leave: () => undefined };

export type DeploymentStatus = "healthy" | "degraded" | "unhealthy";

/**
 * The circuit breaker of one deployment (a model in a region): five failures in a row open it for 30 s, doubling to
 * 5 min at most; then one request probes, and its outcome closes or re-opens it. Requests that somebody else can answer
 * probe an open one every 5 s, and the cool-down does not grow by them.
 */
export class Breaker {
  private failures = 0;
  private opened = 0;
  private openUntil: number | null = null;
  private probe: (Passage & { sinceMs: number }) | null = null;
  /** The last failure while it was open or opened. */
  private failedAt = 0;
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** `degraded` means that a probe is due or running. */
  get status(): DeploymentStatus {
    if (this.openUntil === null) return "healthy";
    return this.now() < this.openUntil ? "unhealthy" : "degraded";
  }

  /** Until when it is open, in ms since the epoch; null while it is closed. */
  get reopensAt(): number | null {
    return this.openUntil;
  }

  /** Whether a request may be sent now. It need not be: only `enter` makes it the probe. */
  get isPassable(): boolean {
    const { status } = this;
    return status === "healthy" || (status === "degraded" && !this.isProbing);
  }

  /** The same for a request that somebody else can answer. */
  get isPassableForSpared(): boolean {
    if (this.status !== "unhealthy") return this.isPassable;
    return !this.isProbing && this.now() - this.failedAt >= probeEveryMs;
  }

  /**
   * Call it when the upstream is about to be asked; null when it may not. When only a probe may be sent, this is it. `isSpared`: somebody
   * else can answer the request.
   */
  enter(isSpared = false): Passage | null {
    // As nearly always.
    if (this.openUntil === null) return freePassage;
    if (!(isSpared ? this.isPassableForSpared : this.isPassable)) return null;
    const passage = {
      sinceMs: this.now(),
      isProbe: true,
      leave: () => {
        if (this.probe === passage) this.probe = null;
      },
    };
    this.probe = passage;
    return passage;
  }

  private get isProbing(): boolean {
    return this.probe !== null && this.now() - this.probe.sinceMs < probeTimeoutMs;
  }

  report(outcome: "success" | "failure"): void {
    const status = this.status;
    this.probe = null;
    if (outcome === "success") {
      this.failures = 0;
      this.opened = 0;
      this.openUntil = null;
      return;
    }
    this.failures += 1;
    this.failedAt = this.now();
    // A failure while it is open does not make it stay open for longer.
    if (status === "degraded" || (status === "healthy" && this.failures >= failuresToOpen)) this.open();
  }

  private open(): void {
    this.opened += 1;
    const cooldownMs = retryWaitMs(cooldown, this.opened);
    this.failures = 0;
    this.openUntil = this.now() + cooldownMs;
  }
}
