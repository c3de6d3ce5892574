import type { GoOnReason } from "#contract/aliases.ts";
import type { FailedTry } from "#contract/usage.ts";

/** A request with aliases and keys can try many upstreams; so many that failed are kept. */
const maxFailedTries = 50;

/** How a run got on: which upstreams were tried, when, and which of them answered. Times are milliseconds since `origin`. */
export class RunTrace {
  private readonly origin: number;
  /** The sync run or prediction; null until there is one. */
  runId: string | null = null;
  /** The upstream that was tried last. */
  provider: string | null = null;
  /** When that was. */
  askedMs: number | null = null;
  /** The first chunk of a streamed answer. */
  firstMs: number | null = null;
  /** The end of the answer, or of what came of it. Null: no upstream answered. */
  answeredMs: number | null = null;
  tokensOut: number | null = null;
  /** What a stream sent to the client. */
  bytesOut: number | null = null;
  failures: FailedTry[] | null = null;
  private lastFailure: FailedTry | null = null;

  /** `sinceMs`: how long ago the request arrived. */
  constructor(sinceMs = 0) {
    this.origin = performance.now() - sinceMs;
  }

  /** An upstream is tried now. */
  tried(provider: string): void {
    this.provider = provider;
    this.askedMs = this.now();
  }

  /** That try failed. */
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

  /** After the failure that was noted last somebody was asked. */
  handedOver(reason: GoOnReason): void {
    if (this.lastFailure) this.lastFailure.reason = reason;
    this.lastFailure = null;
  }

  /** The answer begins to arrive. */
  began(): void {
    this.firstMs = this.now();
  }

  answered(): void {
    this.answeredMs = this.now();
  }

  /** Since the request arrived, in tenths of a millisecond. */
  private now(): number {
    return Math.round((performance.now() - this.origin) * 10) / 10;
  }
}
