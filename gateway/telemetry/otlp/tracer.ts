import { randomFillSync } from "node:crypto";
import {
  context as active,
  INVALID_SPAN_CONTEXT,
  type Link,
  type Span,
  type SpanAttributes,
  type SpanAttributeValue,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import type { EndedSpan } from "./messages.ts";
import type { Sampler } from "./sampler.ts";

/** The most events and links of a span, by OpenTelemetry's defaults. */
const most = 128;

/** What the gateway asks of a tracer. */
export type SpanStarter = (
  name: string,
  options: SpanOptions,
  scope?: ReturnType<typeof active.active>,
) => Span;

/** Spans that cost little: what is said of one is kept as it was said, and written once, when it ends. */
export function spanStarter(sampler: Sampler, ended: (span: EndedSpan) => void): SpanStarter {
  return (name, options, scope = active.active()) => {
    const parent = trace.getSpanContext(scope) ?? INVALID_SPAN_CONTEXT;
    const isRoot = parent.traceId === INVALID_SPAN_CONTEXT.traceId;
    const traceId = isRoot ? newTraceId() : parent.traceId;
    const isSampled = sampler(isRoot ? undefined : parent, traceId);
    const at: SpanContext = {
      traceId,
      spanId: newSpanId(),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      ...(parent.traceState && { traceState: parent.traceState }),
    };
    return isSampled
      ? new RecordedSpan(at, isRoot ? undefined : parent.spanId, name, options, ended)
      : trace.wrapSpanContext(at);
  };
}

/** Where spans are not wanted: what a caller said of its trace goes on. */
export const noSpans: SpanStarter = (_name, _options, scope = active.active()) =>
  trace.wrapSpanContext(trace.getSpanContext(scope) ?? INVALID_SPAN_CONTEXT);

class RecordedSpan implements Span, EndedSpan {
  private readonly at: SpanContext;
  private readonly ended: (span: EndedSpan) => void;
  private readonly begunMs = performance.now();
  private isOver = false;
  readonly parentId: string | undefined;
  readonly kind: number;
  readonly startMs: number;
  readonly attributes: SpanAttributes;
  readonly events: { name: string; atMs: number }[] = [];
  readonly links: Link[];
  name: string;
  endMs = 0;
  status: SpanStatus = { code: SpanStatusCode.UNSET };

  constructor(
    at: SpanContext,
    parentId: string | undefined,
    name: string,
    { kind = 0, attributes = {}, links = [], startTime }: SpanOptions,
    ended: (span: EndedSpan) => void,
  ) {
    this.at = at;
    this.parentId = parentId;
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    this.links = links.slice(0, most);
    this.startMs = startTime === undefined ? Date.now() : msOf(startTime);
    this.ended = ended;
  }

  get traceId(): string {
    return this.at.traceId;
  }

  get spanId(): string {
    return this.at.spanId;
  }

  get traceState(): string | undefined {
    return this.at.traceState?.serialize();
  }

  get flags(): number {
    return this.at.traceFlags;
  }

  spanContext(): SpanContext {
    return this.at;
  }

  setAttribute(key: string, value: SpanAttributeValue): this {
    this.attributes[key] = value;
    return this;
  }

  setAttributes(attributes: SpanAttributes): this {
    Object.assign(this.attributes, attributes);
    return this;
  }

  addEvent(name: string, _attributes?: unknown, time: TimeInput = Date.now()): this {
    if (this.events.push({ name, atMs: msOf(time) }) > most) this.events.shift();
    return this;
  }

  addLink(link: Link): this {
    return this.addLinks([link]);
  }

  addLinks(links: Link[]): this {
    this.links.push(...links.slice(0, most - this.links.length));
    return this;
  }

  setStatus(status: SpanStatus): this {
    this.status = status;
    return this;
  }

  updateName(name: string): this {
    this.name = name;
    return this;
  }

  isRecording(): boolean {
    return !this.isOver;
  }

  recordException(): void {}

  end(time?: TimeInput): void {
    if (this.isOver) return;
    this.isOver = true;
    this.endMs = time === undefined ? this.startMs + performance.now() - this.begunMs : msOf(time);
    this.ended(this);
  }
}

function msOf(time: TimeInput): number {
  if (typeof time === "number") return time;
  return time instanceof Date ? time.getTime() : time[0] * 1_000 + time[1] / 1e6;
}

/** Random bytes are drawn many at once: each draw costs more than its bytes. */
const random = Buffer.allocUnsafe(4_096);
let used = random.length;

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return random.toString("hex", used - bytes, used);
}

const newTraceId = (): string => randomHex(16);
const newSpanId = (): string => randomHex(8);
