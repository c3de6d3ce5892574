import { readRetryAfter } from "#gateway/platform/core/retry-schedule.ts";
import type { HttpAnswer } from "./http-client.ts";

/** Longer waits are shortened to this. */
const longestMs = 10 * 60_000;

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

export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function clamped(ms: number): number {
  return Math.min(longestMs, Math.max(0, Math.ceil(ms)));
}
