import { AsyncLocalStorage } from "node:async_hooks";
import type { SpanContext, SpanKind, TraceState } from "@opentelemetry/api";
import type { Id } from "./otlp/id.ts";
import type { Facts } from "./telemetry.ts";

/** A span's place in a trace; nothing else about the span need be known here. */
export interface Place extends Omit<SpanContext, "traceState"> {
  /** The ids of the trace and the span as bytes, if available. */
  readonly trace?: Id;
  readonly id?: Id;
  readonly traceState?: TraceState | undefined;
  /** True if the trace cannot be looked up: it is neither recorded nor a caller's. */
  readonly isUnknown?: boolean;
}

/** An operation in progress, and its place in its trace. Facts added after its end are ignored. */
export interface Span extends Place {
  /** False: callers can save the work of adding facts. */
  readonly isRecorded: boolean;
  rename(name: string): void;
  /** Adds facts. The caller must not change the object afterwards. */
  say(facts: Facts): void;
  /** Like `say`, for facts that many spans share in one object (`MadeOnce`). */
  sayShared(facts: Facts): void;
  event(name: string, at: Date): void;
  /** `code`: why it failed; null: it succeeded. */
  end(code: string | null, at?: Date): void;
}

export interface SpanOptions {
  /** One object shared by many spans. */
  facts?: Facts;
  startedAt?: Date;
  /** Spans of other traces that led to this one. */
  links?: readonly Place[];
}

/** Starts a span below its parent, or a new trace. */
export type SpanStarter = (
  name: string,
  kind: SpanKind,
  parent: Place | undefined,
  options?: SpanOptions,
) => Span;

/** The current span. */
export const activeSpan = new AsyncLocalStorage<Place | undefined>();
