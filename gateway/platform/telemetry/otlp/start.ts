import { diag, INVALID_SPAN_CONTEXT, type SpanKind, TraceFlags } from "@opentelemetry/api";
import type { Emit } from "../logs.ts";
import type { Place, Span, SpanOptions, SpanStarter } from "../span.ts";
import type { Facts } from "../telemetry.ts";
import { Batch } from "./batch.ts";
import { Id } from "./id.ts";
import {
  type EndedSpan,
  headOf,
  type LogFields,
  type LogRecord,
  writeRecord,
  writeSpan,
} from "./messages.ts";
import { Metrics } from "./metrics.ts";
import type { ProtoWriter } from "./proto-writer.ts";
import { createSender, type OtlpSettings, type Sampler, type Sending } from "./settings.ts";

interface Otlp {
  startSpan: SpanStarter;
  metrics: Metrics;
  /** Null: log records are off. */
  emit: Emit | null;
  /** Sends waiting items. */
  close(): Promise<void>;
}

/** Sends spans, metrics and log records as OTLP; `resource`: the attributes of their source. */
export function startOtlp(
  { sampler, traces, metrics: measured, logs }: OtlpSettings,
  resource: Promise<object>,
): Otlp {
  const closing: (() => Promise<void>)[] = [];
  const senders: ReturnType<typeof createSender>[] = [];
  const spans = traces && batchOf<EndedSpan>(traces, "spans", writeSpan);
  const records = logs && batchOf<LogRecord>(logs, "log records", writeRecord);
  const metrics = new Metrics();
  if (measured) sendRegularly(measured);
  return {
    metrics,
    startSpan: spans ? spanStarter(sampler, (span) => spans.add(span)) : noSpans,
    emit: records && ((record) => records.add(record)),
    close: async () => {
      await Promise.all(closing.map((close) => close()));
      await Promise.all(senders.map((sender) => sender.close()));
    },
  };

  function batchOf<Item>(sending: Sending, name: string, write: (to: ProtoWriter, item: Item) => void) {
    const send = senderOf(sending);
    const batch = new Batch({ ...sending, name, write, send });
    closing.push(() => batch.flush());
    return batch;
  }

  function senderOf(sending: Sending): (items: Buffer) => Promise<void> {
    const sender = createSender(sending);
    senders.push(sender);
    return async (items) =>
      sender.send(Buffer.concat([headOf(await resource, "gatehouse", items.length), items]));
  }

  function sendRegularly(sending: Sending): void {
    const sendItems = senderOf(sending);
    const send = async () => {
      try {
        await sendItems(await metrics.written());
      } catch (error) {
        diag.warn("metrics could not be sent", error);
      }
    };
    const timer = setInterval(send, sending.delayMs).unref();
    closing.push(async () => {
      clearInterval(timer);
      await send();
    });
  }
}

/** The most events and links of a span, following OpenTelemetry's defaults. */
const most = 128;
const length = { trace: 16, span: 8 } as const;

/** Starts cheap spans: facts are stored unchanged, and encoded once at the span's end. */
export function spanStarter(sampler: Sampler, ended: (span: EndedSpan) => void): SpanStarter {
  return (name, kind, parent, options) => {
    if (parent instanceof RecordedSpan)
      return new RecordedSpan(parent.trace, parent.id, parent.traceState, name, kind, options, ended);
    // The children of an unrecorded span are not recorded either.
    if (parent instanceof UnrecordedSpan) return parent;
    const isBelow = parent !== undefined && parent.traceId !== INVALID_SPAN_CONTEXT.traceId;
    const trace = isBelow ? Id.of(parent.traceId) : Id.random(length.trace);
    return sampler(isBelow ? parent : undefined, trace)
      ? new RecordedSpan(
          trace,
          isBelow ? Id.of(parent.spanId) : null,
          parent?.traceState,
          name,
          kind,
          options,
          ended,
        )
      : new UnrecordedSpan(trace, parent?.traceState, !isBelow);
  };
}

/** For when spans are off: starts spans that only pass on the caller's trace context. */
const noSpans: SpanStarter = (_name, _kind, parent) =>
  parent instanceof SilentSpan ? parent : new CallersSpan(parent ?? INVALID_SPAN_CONTEXT);

class SilentSpan {
  readonly isRecorded = false;

  rename(): void {}
  say(): void {}
  sayShared(): void {}
  event(): void {}
  end(): void {}
}

/**
 * A span whose trace is not recorded. Later work must know that, so it has ids, which are drawn when needed.
 */
class UnrecordedSpan extends SilentSpan implements Span {
  readonly traceFlags = TraceFlags.NONE;
  readonly traceState: Place["traceState"];
  readonly isUnknown: boolean;
  readonly trace: Id;
  private drawn: Id | null = null;

  constructor(trace: Id, traceState: Place["traceState"], isUnknown: boolean) {
    super();
    this.trace = trace;
    this.traceState = traceState;
    this.isUnknown = isUnknown;
  }

  get traceId(): string {
    return this.trace.digits;
  }

  get spanId(): string {
    this.drawn ??= Id.random(length.span);
    return this.drawn.digits;
  }
}

class CallersSpan extends SilentSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState: Place["traceState"];

  constructor({ traceId, spanId, traceFlags, traceState }: Place) {
    super();
    this.traceId = traceId;
    this.spanId = spanId;
    this.traceFlags = traceFlags;
    this.traceState = traceState;
  }

  get isUnknown(): boolean {
    return this.traceId === INVALID_SPAN_CONTEXT.traceId;
  }
}

class RecordedSpan implements Span, EndedSpan {
  readonly isRecorded = true;
  readonly traceFlags = TraceFlags.SAMPLED;
  readonly trace: Id;
  readonly id = Id.random(length.span);
  readonly parentId: Id | null;
  readonly traceState: Place["traceState"];
  readonly kind: SpanKind;
  readonly startMs: number;
  fields: LogFields | null = null;
  readonly links: readonly Place[];
  name: string;
  events: { name: string; atMs: number }[] | null = null;
  endMs = 0;
  code: string | null = null;
  private readonly begunMs = performance.now();
  private readonly ended: (span: EndedSpan) => void;
  private isOver = false;

  constructor(
    trace: Id,
    parentId: Id | null,
    traceState: Place["traceState"],
    name: string,
    kind: SpanKind,
    { facts, startedAt, links = none }: SpanOptions = nothingMore,
    ended: (span: EndedSpan) => void,
  ) {
    this.trace = trace;
    this.parentId = parentId;
    this.traceState = traceState;
    this.name = name;
    this.kind = kind;
    if (facts) this.sayShared(facts);
    this.links = links.length > most ? links.slice(0, most) : links;
    this.startMs = startedAt?.getTime() ?? Date.now();
    this.ended = ended;
  }

  get traceId(): string {
    return this.trace.digits;
  }

  get spanId(): string {
    return this.id.digits;
  }

  rename(name: string): void {
    this.name = name;
  }

  say(facts: Facts): void {
    this.fields = { facts, isShared: false, before: this.fields };
  }

  sayShared(facts: Facts): void {
    this.fields = { facts, isShared: true, before: this.fields };
  }

  event(name: string, at: Date): void {
    const event = { name, atMs: at.getTime() };
    if (!this.events) this.events = [event];
    else if (this.events.push(event) > most) this.events.shift();
  }

  end(code: string | null, at?: Date): void {
    if (this.isOver) return;
    this.isOver = true;
    this.code = code;
    this.endMs = at?.getTime() ?? this.startMs + performance.now() - this.begunMs;
    this.ended(this);
  }
}

const none: readonly Place[] = [];
const nothingMore: SpanOptions = {};
