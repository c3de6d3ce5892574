import { type RetrySchedule, retryWaitMs } from "./retry-schedule.ts";

/** Consecutive failures that open the breaker. */
const failuresToOpen = 5;
const cooldown: RetrySchedule = { firstMs: 30_000, factor: 2, maxMs: 300_000 };
/** A probe that reports nothing (its client disconnected) blocks the next probe only this long. */
const probeTimeoutMs = 60_000;
/** How often an open breaker is probed by requests that another upstream could answer. */
const probeEveryMs = 5_000;

/**
 * Permission to send a request: report its end to the breaker, or call `leave` if the end does not show
 * whether the upstream works.
 */
export interface Passage {
  /** Lets another request probe if this one was the probe and did not report. */
  leave(): void;
  /** True if this request tests whether the upstream works again. */
  readonly isProbe: boolean;
}

/** The permission while the breaker is closed. */
const freePassage: Passage = { isProbe: false, leave: () => undefined };

export type DeploymentStatus = "healthy" | "degraded" | "unhealthy";

/**
 * The circuit breaker of one deployment (a model in a region): five consecutive failures open it for 30 s,
 * doubling up to 5 min; then one request probes, and its outcome closes or re-opens it. Requests that another
 * upstream can answer probe an open breaker every 5 s, without extending the cool-down.
 */
export class Breaker {
  private failures = 0;
  private opened = 0;
  private openUntil: number | null = null;
  private probe: (Passage & { sinceMs: number }) | null = null;
  /** When the last failure happened that opened the breaker, or that occurred while it was open. */
  private failedAt = 0;
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** `degraded`: a probe is due or running. */
  get status(): DeploymentStatus {
    if (this.openUntil === null) return "healthy";
    return this.now() < this.openUntil ? "unhealthy" : "degraded";
  }

  /** When the upstream may be probed, in ms since the epoch; null while the breaker is closed. */
  get reopensAt(): number | null {
    return this.openUntil;
  }

  /** Whether a request may be sent now. Asking changes nothing: only `enter` makes a request the probe. */
  get isPassable(): boolean {
    const { status } = this;
    return status === "healthy" || (status === "degraded" && !this.isProbing);
  }

  /** Like `isPassable`, but for a request that another upstream can answer. */
  get isPassableForSpared(): boolean {
    if (this.status !== "unhealthy") return this.isPassable;
    return !this.isProbing && this.now() - this.failedAt >= probeEveryMs;
  }

  /**
   * Call just before calling the upstream; null if it must not be called. If only a probe is allowed, this
   * request becomes it. `isSpared`: another upstream can answer the request. `isRouteFree`: whether something
   * behind this breaker is not called by the running probe, so that a slow probe keeps nobody from trying it.
   */
  enter(isSpared = false, isRouteFree = () => false): Passage | null {
    // The usual case, so it is checked first.
    if (this.openUntil === null) return freePassage;
    if (!(isSpared ? this.isPassableForSpared : this.isPassable))
      return this.status === "degraded" && isRouteFree() ? freePassage : null;
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
    // A failure while the breaker is open does not extend the cool-down.
    if (status === "degraded" || (status === "healthy" && this.failures >= failuresToOpen)) this.open();
  }

  private open(): void {
    this.opened += 1;
    const cooldownMs = retryWaitMs(cooldown, this.opened);
    this.failures = 0;
    this.openUntil = this.now() + cooldownMs;
  }
}
