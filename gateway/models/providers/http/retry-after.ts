import type { HttpAnswer } from "./http-client.ts";

/** Longer waits are shortened to this. */
const longestMs = 10 * 60_000;

/**
 * How long an upstream asks to wait: `retry-after-ms`, `retry-after` in seconds or as a date, or a text like
 * Replicate's.
 */
export function retryAfterMs(headers: HttpAnswer["headers"], message: string | null): number | undefined {
  const ms = Number(single(headers["retry-after-ms"]) || Number.NaN);
  if (Number.isFinite(ms)) return clamped(ms);
  const text = single(headers["retry-after"]);
  if (text) {
    const seconds = Number(text);
    if (Number.isFinite(seconds)) return clamped(seconds * 1000);
    const date = Date.parse(text);
    if (!Number.isNaN(date)) return clamped(date - Date.now());
  }
  const resets = /resets? in ~?(\d+(?:\.\d+)?)\s*s/i.exec(message ?? "")?.[1];
  return resets === undefined ? undefined : clamped(Number(resets) * 1000);
}

export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function clamped(ms: number): number {
  return Math.min(longestMs, Math.max(0, Math.ceil(ms)));
}
