import type { ErrorCode } from "#contract/error.ts";

/** An upstream's failure, mapped to the contract's codes. */
export class ProviderError extends Error {
  readonly code: ErrorCode;
  /** Whether the upstream started the work: retry only after `no`. */
  readonly started: "no" | "yes" | "unknown";
  readonly retryAfterMs: number | undefined;
  /** The input field that caused the failure, if the provider names one. */
  readonly param: string | null;
  /** True if a retry cannot succeed, whatever the code suggests. */
  readonly final: boolean;
  /** The HTTP status of the upstream's refusal; undefined if the upstream sent no refusal. */
  readonly status: number | undefined;
  /** True if the upstream refuses the key, or the bill for it is unpaid: another key may work. */
  readonly refusesKey: boolean;
  /** The tokens used before the failure; null if no part of the answer arrived. */
  spent: SpentTokens | null = null;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      started?: "no" | "yes" | "unknown";
      retryAfterMs?: number;
      param?: string;
      final?: boolean;
      status?: number;
      refusesKey?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.started = options.started ?? "unknown";
    this.retryAfterMs = options.retryAfterMs;
    this.param = options.param ?? null;
    this.final = options.final ?? false;
    this.status = options.status;
    this.refusesKey = options.refusesKey ?? false;
  }
}

interface SpentTokens {
  prompt_tokens: number;
  total_tokens: number;
  [detail: string]: unknown;
}

/** The upstream failure behind an error; null if there is none. */
export function upstreamErrorOf(error: unknown): ProviderError | null {
  if (error instanceof ProviderError) return error;
  return error instanceof Error && error.cause instanceof ProviderError ? error.cause : null;
}

/** The codes of requests and predictions that fail because of an upstream. */
export const upstreamFailureCodes = [
  "upstream_error",
  "upstream_timeout",
  "upstream_invalid_response",
  "upstream_stream_interrupted",
  "upstream_outcome_unknown",
  "upstream_rate_limited",
  "service_unavailable",
] as const satisfies ErrorCode[];

const codes = new Set<string>(upstreamFailureCodes);

export function isUpstreamFailure(code: string): boolean {
  return codes.has(code);
}

/** Everything needed to find an upstream job again; stored with the prediction, removed with its data. */
export interface ProviderRef {
  provider: string;
  [key: string]: unknown;
}
