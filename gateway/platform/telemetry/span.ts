import type { SpanContext, SpanKind, TraceState } from "@opentelemetry/api";
import type { Id } from "./otlp/id.ts";
import type { Facts } from "./telemetry.ts";

/** A span of a trace, of which nothing more may be known here. */
export interface Place extends Omit<SpanContext, "traceState"> {
  /** The same ids, where they are kept as bytes. */
  readonly trace?: Id;
  readonly id?: Id;
  readonly traceState?: TraceState | undefined;
  /** Nobody can look up its trace: it is neither recorded nor a caller's. */
  readonly isUnknown?: boolean;
}

/** Something that is being done, and where in its trace. What is said once it has ended is ignored. */
export interface Span extends Place {
  /** Nothing needs to be said of one that is not. */
  readonly isRecorded: boolean;
  rename(name: string): void;
  /** `facts` belong to the span from now on. */
  say(facts: Facts): void;
  /** The same of facts that are one object for many spans (`MadeOnce`). */
  sayShared(facts: Facts): void;
  event(name: string, at: Date): void;
  /** `code` says why it failed; null: it did not. */
  end(code: string | null, at?: Date): void;
}

export interface SpanOptions {
  /** One object for many spans. */
  facts?: Facts;
  startedAt?: Date;
  /** Places in other traces that it comes of. */
  links?: readonly Place[];
}

/** Begins a span below its parent, or a trace. */
export type SpanStarter = (
  name: string,
  kind: SpanKind,
  parent: Place | undefined,
  options?: SpanOptions,
) => Span;
