import { createTraceState, isValidSpanId, isValidTraceId } from "@opentelemetry/api";
import type { Place } from "./span.ts";

/**
 * W3C's header, which is what is stored and sent, whatever other headers the settings name; in a row with its `tracestate` after
 * a space, where the caller sent one.
 */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?: (.+))?$/;

/** What is kept with a row. */
export function storedPlace(at: Place | undefined): string | null {
  const traceparent = traceparentOf(at);
  const state = at?.traceState?.serialize();
  return traceparent && state ? `${traceparent} ${state}` : traceparent;
}

export function traceparentOf(at: Place | undefined): string | null {
  if (!at || !isValidTraceId(at.traceId) || !isValidSpanId(at.spanId)) return null;
  return `00-${at.traceId}-${at.spanId}-${at.traceFlags.toString(16).padStart(2, "0")}`;
}

export function placeIn(stored: string | null): Place | undefined {
  const [, traceId, spanId, flags, state] = pattern.exec(stored ?? "") ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const traceState = state === undefined ? undefined : createTraceState(state);
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), traceState, isRemote: true };
}
