/** This many failures in a row open it. */
const failuresToOpen = 5;
const firstCooldownMs = 30_000;
const longestCooldownMs = 300_000;
/** A probe whose outcome was never reported (the client left) does not block the next one for longer. */
const probeTimeoutMs = 60_000;

export type DeploymentStatus = "healthy" | "degraded" | "unhealthy";

/**
 * The circuit breaker of one deployment (a model in a region): five failures in a row open it for 30 s, doubling to
 * 5 min at most; then one request probes, and its outcome closes or re-opens it.
 */
export class Breaker {
  private failures = 0;
  private opened = 0;
  private openUntil: number | null = null;
  private probeSince: number | null = null;
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

  /** Whether a request may be sent now; when only a probe may, this request becomes it. */
  admit(): boolean {
    const status = this.status;
    if (status !== "degraded") return status === "healthy";
    const now = this.now();
    if (this.probeSince !== null && now - this.probeSince < probeTimeoutMs) return false;
    this.probeSince = now;
    return true;
  }

  report(outcome: "success" | "failure"): void {
    const status = this.status;
    this.probeSince = null;
    if (outcome === "success") {
      this.failures = 0;
      this.opened = 0;
      this.openUntil = null;
      return;
    }
    this.failures += 1;
    // A late failure while it is open changes nothing.
    if (status === "degraded" || (status === "healthy" && this.failures >= failuresToOpen)) this.open();
  }

  private open(): void {
    const cooldownMs = Math.min(firstCooldownMs * 2 ** this.opened, longestCooldownMs);
    this.opened += 1;
    this.failures = 0;
    this.openUntil = this.now() + cooldownMs;
  }
}
