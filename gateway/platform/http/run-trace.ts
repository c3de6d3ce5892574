import type { GoOnReason } from "#contract/alias-constants.ts";
import type { AskedGuard, FailedTry, UpstreamKey } from "#contract/usage.ts";

/**
 * At most this many failures are recorded: a request with aliases and several keys can try many upstreams.
 */
const maxFailedTries = 50;
/** A stream that is held back asks about each of its pieces. */
const maxGuardAnswers = 50;

/**
 * The course of a run: which upstreams were tried, when, and which one answered. Times are milliseconds since
 * `origin`.
 */
export class RunTrace {
  private readonly origin: number;
  /** The sync run or prediction; null before it exists. */
  runId: string | null = null;
  /** The upstream that was tried last. */
  provider: string | null = null;
  /** The key that it was tried with, if it has several. */
  key: UpstreamKey | null = null;
  /** When that upstream was tried. */
  askedMs: number | null = null;
  /** The first chunk of a streamed answer. */
  firstMs: number | null = null;
  /** The end of the answer, even if it was cut. Null: no upstream answered. */
  answeredMs: number | null = null;
  tokensOut: number | null = null;
  /** The input tokens from the upstream's cache. */
  tokensCached: number | null = null;
  /** Bytes that a stream sent to the client. */
  bytesOut: number | null = null;
  failures: FailedTry[] | null = null;
  /** Whether an upstream was called that may have begun the work. */
  mayHaveRun = false;
  /** What the guards said that were asked about it. */
  guards: AskedGuard[] | null = null;
  private lastFailure: FailedTry | null = null;

  /** `sinceMs`: time since the request arrived. */
  constructor(sinceMs = 0) {
    this.origin = performance.now() - sinceMs;
  }

  /** Call when an upstream is tried. */
  tried(provider: string, key: UpstreamKey | null): void {
    this.provider = provider;
    this.key = key;
    this.askedMs = this.now();
    this.mayHaveRun = true;
  }

  /** Call when the upstream that was tried last has failed. */
  failed(where: Pick<FailedTry, "model" | "region" | "key">, code: string, status: number | undefined): void {
    this.failures ??= [];
    if (this.failures.length >= maxFailedTries) return;
    const duration_ms = Math.round((this.now() - (this.askedMs ?? 0)) * 10) / 10;
    this.failures.push({
      provider: this.provider ?? "",
      ...where,
      code,
      status: status ?? null,
      duration_ms,
      reason: null,
    });
    this.lastFailure = this.failures.at(-1) ?? null;
  }

  /** Call when another upstream is called after the last recorded failure. */
  handedOver(reason: GoOnReason): void {
    if (this.lastFailure) this.lastFailure.reason = reason;
    this.lastFailure = null;
  }

  /** Call when a guard has answered, or failed. */
  guarded(asked: AskedGuard): void {
    this.guards ??= [];
    if (this.guards.length < maxGuardAnswers) this.guards.push(asked);
  }

  /** Call when the answer begins to arrive. */
  began(): void {
    this.firstMs = this.now();
  }

  answered(): void {
    this.answeredMs = this.now();
  }

  /** Time since the request arrived, rounded to a tenth of a millisecond. */
  private now(): number {
    return Math.round((performance.now() - this.origin) * 10) / 10;
  }
}
