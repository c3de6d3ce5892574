import {
  INVALID_TRACEID,
  logs,
  type Span as OfSdk,
  ROOT_CONTEXT,
  SeverityNumber,
  type SpanContext,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { type DestinationStream, symbols } from "pino";
import { activeSpan } from "./active-span.ts";
import { type LogRecord, saidElsewhere } from "./otlp/messages.ts";
import type { Place, Span, SpanStarter } from "./span.ts";
import type { Facts } from "./telemetry.ts";

/** pino's levels. */
const severities = new Map<unknown, [SeverityNumber, string]>([
  [10, [SeverityNumber.TRACE, "TRACE"]],
  [20, [SeverityNumber.DEBUG, "DEBUG"]],
  [30, [SeverityNumber.INFO, "INFO"]],
  [40, [SeverityNumber.WARN, "WARN"]],
  [50, [SeverityNumber.ERROR, "ERROR"]],
  [60, [SeverityNumber.FATAL, "FATAL"]],
]);

/** As pino ends each line. */
const endOfLine = "}\n";
const metadata: unique symbol = Symbol.for("pino.metadata");
/** What a logger says in each of its lines, as pino keeps it: the process, and most often the request. */
const usualBindings = /^,"pid":\d+,"hostname":"[^"]*"(?:,"request_id":"([^"\\]*)")?$/;

export type Emit = (record: LogRecord) => void;

export function loggerOfSdk(): Emit {
  const logger = logs.getLogger("gatehouse");
  return ({ atMs, severity, severityText, body, said, place }) => {
    logger.emit({
      context: scopeOf(place),
      timestamp: atMs,
      severityNumber: severity,
      severityText,
      body,
      attributes: Object.fromEntries(
        Object.entries(said)
          .filter(([name]) => !saidElsewhere.has(name))
          .map(([name, value]) => [
            name,
            typeof value === "object" && value !== null ? JSON.stringify(value) : value,
          ]),
      ),
    });
  };
}

/** Names the active span in each line, and makes a record of it. */
export function withRecords(destination: DestinationStream, emit: Emit | null): DestinationStream {
  return new NamedLines(destination, emit);
}

class NamedLines implements DestinationStream {
  /** pino then says, before each line, what it is made of. */
  readonly [metadata] = true;
  lastLevel = 0;
  lastTime = "";
  lastMsg: unknown;
  lastObj: unknown;
  lastLogger: unknown;
  private readonly destination: DestinationStream;
  /** Not `emit`, which pino takes for an event emitter's. */
  private readonly send: Emit | null;

  constructor(destination: DestinationStream, send: Emit | null) {
    this.destination = destination;
    this.send = send;
  }

  write(line: string): void {
    const at = activeSpan.getStore();
    const place = at?.isUnknown ? undefined : at;
    this.destination.write(
      place
        ? `${line.slice(0, -endOfLine.length)},"trace_id":"${place.traceId}","span_id":"${place.spanId}"${endOfLine}`
        : line,
    );
    this.send?.(this.recordOf(line, place));
  }

  private recordOf(line: string, place: Place | undefined): LogRecord {
    const plain = typeof this.lastMsg === "string" ? this.plainWords() : null;
    if (plain) return recordOf(this.lastLevel, Number(this.lastTime), this.lastMsg, plain, place);
    const { level, time, msg, ...said } = JSON.parse(line) as Record<string, unknown>;
    return recordOf(level, Number(time), msg, said, place);
  }

  /**
   * What the line says, without reading it: for those of texts and numbers only. Null for others, whose secrets are left out and whose
   * errors are written out in the line alone.
   */
  private plainWords(): Facts | null {
    const said = bindingsOf(this.lastLogger as Bound);
    const given = this.lastObj as Record<string, unknown>;
    for (const name in given) {
      const value = given[name];
      if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value))
        said[name] = value as Facts[string];
      else if (value !== undefined && value !== null) return null;
    }
    return said;
  }
}

type Bound = { [symbols.chindingsSym]: string };

function bindingsOf(logger: Bound): Facts {
  const bindings = logger[symbols.chindingsSym];
  const usual = usualBindings.exec(bindings);
  if (usual) return { request_id: usual[1] };
  return JSON.parse(`{${bindings.slice(1)}}`);
}

function recordOf(
  level: unknown,
  atMs: number,
  msg: unknown,
  said: object,
  place: Place | undefined,
): LogRecord {
  const [severity, severityText] = severities.get(level) ?? [SeverityNumber.INFO, "INFO"];
  return { atMs, severity, severityText, body: String(msg ?? ""), said, place };
}

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
function scopeOf(place: Place | undefined): typeof ROOT_CONTEXT {
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
