import type { GoOnReason } from "#contract/alias-constants.ts";
import { textTypes } from "#contract/operator/constants.ts";
import { type Payer, usageOfFailedTry } from "#gateway/billing/usage/lines.ts";
import type { Context } from "#gateway/context.ts";
import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import { recordsOf } from "#gateway/models/providers/http/read-body.ts";
import type { Provider, ProviderRequest } from "#gateway/models/providers/provider.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { RunTrace } from "#gateway/platform/http/run-trace.ts";

/**
 * The wait before the same route is tried again: a random time in this range, so that many requests do not
 * come back at once.
 */
const retryWaitMs = { min: 100, max: 300 } as const;
/** Statuses of failures that often pass quickly. */
const passingStatuses: readonly (number | undefined)[] = [500, 502, 503, 504];
/**
 * Failures without an answer that often pass quickly: no connection, a reset, an end before the first event.
 */
const passingCodes: readonly string[] = [
  "service_unavailable",
  "upstream_error",
  "upstream_stream_interrupted",
];

/**
 * The attempts of one request at upstreams: over the keys and regions of a model, its routes, and the models
 * of an alias. All of them share one budget of attempts and time. An attempt ends with the first content that
 * the caller gets, or with a complete answer; until then another upstream may take over after a failure
 * (docs/providers.md, "When an upstream fails"). `trace` records all attempts.
 */
export class Attempts {
  readonly trace: RunTrace;
  readonly #most: { tries: number; ms: number };
  #tries = 0;
  #sinceMs = 0;
  #reason: GoOnReason | null = null;
  /** The number of routes of the alias's later models that could be called for this reason. */
  freeLater: (reason: GoOnReason) => number = () => 0;
  /** The caller can read the first content, so no other upstream may answer. */
  hasContent = false;
  /** The alias wants broken streams to be continued. */
  continuesStreams = false;
  /** The alias allows no second try at all. */
  isOnly = false;

  constructor({ config }: Pick<Context, "config">, trace: RunTrace) {
    this.trace = trace;
    this.#most = { tries: config.triesPerRequest, ms: config.tryingMs };
  }

  /** The number of tries so far, including the current one. */
  get tries(): number {
    return this.#tries;
  }

  /** Whether the budget allows another try. */
  get mayTry(): boolean {
    if (this.#tries === 0) return true;
    return this.#tries < this.#most.tries && performance.now() - this.#sinceMs < this.#most.ms;
  }

  /** Whether the budget allows another try and then this many more. */
  mayTryBefore(others: number): boolean {
    return this.mayTry && this.#tries + others < this.#most.tries;
  }

  /**
   * Call before each attempt: the first one, or after a failure the same route again, the next route, or the
   * next model.
   */
  begin(provider: string): void {
    if (this.#tries === 0) this.#sinceMs = performance.now();
    this.#tries += 1;
    const reason = this.#reason;
    this.#reason = null;
    if (reason !== null) {
      counters.handovers.inc({ reason });
      this.trace.handedOver(reason);
    }
    this.trace.tried(provider);
  }

  /**
   * The last attempt failed, or a model was skipped without an attempt; `reason`: why another upstream may be
   * tried.
   */
  failed(reason: GoOnReason | null): void {
    this.#reason = reason;
  }

  /**
   * How long to wait before the same route is tried again after a failure that often passes; null: do not try
   * it again.
   */
  waitBeforeRetry(failure: ProviderError): number | null {
    if (this.isOnly || failure.final || failure.retryAfterMs || failure.refusesKey) return null;
    const { status, code } = failure;
    const passes = status === undefined ? passingCodes.includes(code) : passingStatuses.includes(status);
    return passes ? retryWaitMs.min + Math.random() * (retryWaitMs.max - retryWaitMs.min) : null;
  }
}

/**
 * Records the operator's cost of a failed attempt of which the caller got no answer: the usage that the
 * upstream reported or that its partial answer shows, otherwise an estimate of the input.
 */
export function recordFailedTry(
  { meter, prices }: Context,
  payer: Payer,
  failed: { request: ProviderRequest; provider: Provider; nth: number },
  spent: ProviderError["spent"],
): void {
  const { operation, input } = failed.request;
  if (operation.billing_unit !== "token") return;
  const estimated = () => {
    const prompt = tokensIn([input.messages ?? input.input]);
    return { prompt_tokens: prompt, total_tokens: prompt };
  };
  const usage = usageOfFailedTry(prices.book, payer, failed, spent ?? estimated());
  if (usage) meter.add({ runId: usage.runId, usage, reserved: false });
}

/** Whether the upstream may bill a failed try: it was reached and did not answer with an error status. */
export function isBilledFailure({ started, status }: ProviderError): boolean {
  return started !== "no" && status === undefined;
}

/**
 * Whether a request may run twice: it makes only text or numbers, and uses no tools that run at the upstream.
 * Media, and work billed by the piece, are tried elsewhere only if they certainly did not begin.
 */
export function mayRunTwice({
  operation,
  input,
  native,
}: Pick<ProviderRequest, "operation" | "input" | "native">): boolean {
  if (!textTypes.includes(operation.api_type)) return false;
  if (native?.ignored.some((name) => name.startsWith("tools["))) return false;
  return recordsOf(input.tools).every(
    ({ type }) => type === undefined || type === "function" || type === "custom",
  );
}

/**
 * Why another upstream may be tried after a failure before the caller got any content. Null if no other
 * upstream would help, or if the work may have started and must not run twice.
 */
export function reasonToGoOn(error: unknown, runsTwice: boolean): GoOnReason | null {
  if (!(error instanceof ApiError)) return null;
  const { code, status, cause } = error;
  if (code === "budget_exceeded" || code === "not_priced") return "budget";
  if (code === "no_healthy_region") return "down";
  if (!(cause instanceof ProviderError)) return code === "input_too_large" ? "too_long" : null;
  const isUnbegun = cause.started === "no";
  if (!isUnbegun && !runsTwice) return null;
  if (code === "input_too_large") return "too_long";
  if (status === 429) return "busy";
  if (status < 500) return null;
  if (code === "upstream_timeout" && cause.status === undefined) return "slow";
  return isUnbegun && cause.status !== 500 ? "down" : "failed";
}
