import { byName } from "#contract/by-name.ts";
import type { UpstreamRateLimit } from "#contract/operator/health.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readRetryAfter } from "#gateway/platform/core/retry-schedule.ts";
import type { HttpAnswer } from "./http-client.ts";

/** Longer waits are shortened to this. */
const longestMs = 10 * 60_000;

type Headers = HttpAnswer["headers"];

interface Names {
  requests: readonly [limit: string, remaining: string, reset: string];
  tokens: readonly [limit: string, remaining: string, reset: string] | null;
}

/** Header names of OpenAI, Anthropic, servers without `-requests`, and the IETF draft. */
const dialects: readonly Names[] = [
  { requests: named("x-ratelimit-$-requests"), tokens: named("x-ratelimit-$-tokens") },
  {
    requests: named("anthropic-ratelimit-requests-$"),
    tokens: named("anthropic-ratelimit-tokens-$"),
  },
  { requests: named("x-ratelimit-$"), tokens: null },
  { requests: named("ratelimit-$"), tokens: null },
];

function named(form: string): readonly [string, string, string] {
  return [form.replace("$", "limit"), form.replace("$", "remaining"), form.replace("$", "reset")];
}

/** The upstream's rate limit from an answer's headers; null if there is none. */
export function rateLimitOf(headers: Headers): UpstreamRateLimit | null {
  const dialect = dialects.find(
    ({ requests, tokens }) =>
      headers[requests[1]] !== undefined || (tokens && headers[tokens[1]] !== undefined),
  );
  if (!dialect) return null;
  const { requests, tokens } = dialect;
  return {
    at: clock.date().toISOString(),
    limit_requests: number(headers[requests[0]]),
    remaining_requests: number(headers[requests[1]]),
    reset_requests: text(headers[requests[2]]),
    limit_tokens: tokens && number(headers[tokens[0]]),
    remaining_tokens: tokens && number(headers[tokens[1]]),
    reset_tokens: tokens && text(headers[tokens[2]]),
  };
}

/** Numbers from here on are seconds since 1970, smaller ones are durations. */
const epochSeconds = 1_000_000_000;

const unitMs = byName<number>({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 });

/**
 * Milliseconds until a limit is reset, from `6m0s`, `12`, `250ms`, seconds since 1970 or a date. 0 if
 * unreadable.
 */
export function resetMs(reset: string | null): number {
  if (!reset) return 0;
  const seconds = Number(reset);
  if (Number.isFinite(seconds))
    return Math.max(0, seconds > epochSeconds ? seconds * 1_000 - clock.now() : seconds * 1_000);
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(reset))
    return [...reset.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
      (sum, [, count, unit = ""]) => sum + Number(count) * (unitMs[unit] ?? 0),
      0,
    );
  const at = Date.parse(reset);
  return Number.isNaN(at) ? 0 : Math.max(0, at - clock.now());
}

function number(value: Headers[string]): number | null {
  const read = Number(single(value) || Number.NaN);
  return Number.isFinite(read) ? read : null;
}

export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function text(value: Headers[string]): string | null {
  return single(value)?.slice(0, 60) ?? null;
}

/**
 * The wait that an upstream requests: `retry-after-ms`, `retry-after` in seconds or as a date, or a text like
 * Replicate's.
 */
export function retryAfterMs(headers: HttpAnswer["headers"], message: string | null): number | undefined {
  const ms = Number(single(headers["retry-after-ms"]) || Number.NaN);
  if (Number.isFinite(ms)) return clamped(ms);
  const asked = readRetryAfter(headers["retry-after"]);
  if (asked !== null) return clamped(asked);
  const resets = /resets? in ~?(\d+(?:\.\d+)?)\s*s/i.exec(message ?? "")?.[1];
  return resets === undefined ? undefined : clamped(Number(resets) * 1000);
}

function clamped(ms: number): number {
  return Math.min(longestMs, Math.max(0, Math.ceil(ms)));
}
