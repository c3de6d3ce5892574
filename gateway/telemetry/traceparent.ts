import { isValidSpanId, isValidTraceId } from "@opentelemetry/api";
import type { Place } from "./span.ts";

/** W3C's header, which is what is stored and sent, whatever other headers the settings name. */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function traceparentOf(at: Place | undefined): string | null {
  if (!at || !isValidTraceId(at.traceId) || !isValidSpanId(at.spanId)) return null;
  return `00-${at.traceId}-${at.spanId}-${at.traceFlags.toString(16).padStart(2, "0")}`;
}

export function placeIn(traceparent: string | null): Place | undefined {
  const [, traceId, spanId, flags] = pattern.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
