import {
  INVALID_TRACEID,
  type Span as OfSdk,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Place, Span, SpanStarter } from "./span.ts";
import type { Facts } from "./telemetry.ts";

/** Spans of OpenTelemetry's SDK. */
export function spanStarterOfSdk(): SpanStarter {
  const tracer = trace.getTracer("gatehouse");
  return (name, kind, parent, { facts = {}, startedAt, links = [] } = {}) =>
    new SdkSpan(
      tracer.startSpan(
        name,
        {
          kind,
          attributes: facts,
          ...(startedAt && { startTime: startedAt }),
          links: links.map((place) => ({ context: place as SpanContext })),
        },
        scopeOf(parent),
      ),
    );
}

/** As the SDK's own methods take it. */
export function scopeOf(place: Place | undefined): typeof ROOT_CONTEXT {
  return place ? trace.setSpanContext(ROOT_CONTEXT, place as SpanContext) : ROOT_CONTEXT;
}

class SdkSpan implements Span {
  private readonly span: OfSdk;
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState: SpanContext["traceState"];

  constructor(span: OfSdk) {
    this.span = span;
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.traceFlags = traceFlags;
    this.traceState = traceState;
  }

  get isRecorded(): boolean {
    return this.span.isRecording();
  }

  get isUnknown(): boolean {
    return this.traceId === INVALID_TRACEID;
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  say(facts: Facts): void {
    this.span.setAttributes(facts);
  }

  sayShared(facts: Facts): void {
    this.say(facts);
  }

  event(name: string, at: Date): void {
    this.span.addEvent(name, at);
  }

  end(code: string | null, at?: Date): void {
    if (code !== null) {
      this.span.setAttribute("error.type", code);
      this.span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    }
    this.span.end(at);
  }
}
