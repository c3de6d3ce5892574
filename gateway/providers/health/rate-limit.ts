import type { UpstreamRateLimit } from "#contract/operator/health.ts";
import { clock } from "#gateway/core/clock.ts";
import type { HttpAnswer } from "../http/http-client.ts";
import { single } from "../http/retry-after.ts";

type Headers = HttpAnswer["headers"];

/** What an answer's headers tell of the upstream's limit (OpenAI's names, and those without `-requests`); null: nothing. */
export function rateLimitOf(headers: Headers): UpstreamRateLimit | null {
  if (
    headers["x-ratelimit-remaining-requests"] === undefined &&
    headers["x-ratelimit-remaining-tokens"] === undefined &&
    headers["x-ratelimit-remaining"] === undefined
  )
    return null;
  return {
    at: clock.date().toISOString(),
    limit_requests: number(headers["x-ratelimit-limit-requests"] ?? headers["x-ratelimit-limit"]),
    remaining_requests: number(headers["x-ratelimit-remaining-requests"] ?? headers["x-ratelimit-remaining"]),
    reset_requests: text(headers["x-ratelimit-reset-requests"] ?? headers["x-ratelimit-reset"]),
    limit_tokens: number(headers["x-ratelimit-limit-tokens"]),
    remaining_tokens: number(headers["x-ratelimit-remaining-tokens"]),
    reset_tokens: text(headers["x-ratelimit-reset-tokens"]),
  };
}

function number(value: Headers[string]): number | null {
  const read = Number(single(value) || Number.NaN);
  return Number.isFinite(read) ? read : null;
}

function text(value: Headers[string]): string | null {
  return single(value)?.slice(0, 60) ?? null;
}
