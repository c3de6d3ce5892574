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
import { fieldsElsewhere, type LogRecord } from "./otlp/messages.ts";
import { activeSpan, type Place, type Span, type SpanStarter } from "./span.ts";
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

/** The end of each of pino's lines. */
const endOfLine = "}\n";
const metadata: unique symbol = Symbol.for("pino.metadata");
/** A logger's bindings, as pino serialises them: the process, and most often the request. */
const usualBindings = /^,"pid":\d+,"hostname":"[^"]*"(?:,"request_id":"([^"\\]*)")?$/;

export type Emit = (record: LogRecord) => void;

export function loggerOfSdk(): Emit {
  const logger = logs.getLogger("gatehouse");
  return ({ atMs, severity, severityText, body, fields, place }) => {
    logger.emit({
      context: scopeOf(place),
      timestamp: atMs,
      severityNumber: severity,
      severityText,
      body,
      attributes: Object.fromEntries(
        Object.entries(fields)
          .filter(([name]) => !fieldsElsewhere.has(name))
          .map(([name, value]) => [
            name,
            typeof value === "object" && value !== null ? JSON.stringify(value) : value,
          ]),
      ),
    });
  };
}

/** Adds the active span to each line, and makes a log record of it. */
export function withRecords(destination: DestinationStream, emit: Emit | null): DestinationStream {
  return new NamedLines(destination, emit);
}

class NamedLines implements DestinationStream {
  /** Makes pino pass each line's data before the line. */
  readonly [metadata] = true;
  lastLevel = 0;
  lastTime = "";
  lastMsg: unknown;
  lastObj: unknown;
  lastLogger: unknown;
  private readonly destination: DestinationStream;
  /** Not called `emit`, because pino would treat it as an event emitter. */
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
    const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
    return recordOf(level, Number(time), msg, fields, place);
  }

  /**
   * The line's data without parsing it, if it contains only strings and numbers. Null for other lines, whose
   * secrets are removed and whose errors are serialised only in the line itself.
   */
  private plainWords(): Facts | null {
    const fields = bindingsOf(this.lastLogger as Bound);
    const given = this.lastObj as Record<string, unknown>;
    for (const name in given) {
      const value = given[name];
      if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value))
        fields[name] = value as Facts[string];
      else if (value !== undefined && value !== null) return null;
    }
    return fields;
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
  fields: object,
  place: Place | undefined,
): LogRecord {
  const [severity, severityText] = severities.get(level) ?? [SeverityNumber.INFO, "INFO"];
  return { atMs, severity, severityText, body: String(msg ?? ""), fields, place };
}

/** Starts spans with OpenTelemetry's SDK. */
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

/** Converts a place for the SDK's methods. */
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
