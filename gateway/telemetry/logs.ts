import { logs, SeverityNumber } from "@opentelemetry/api";
import type { DestinationStream } from "pino";
import { activeSpan } from "./active-span.ts";
import { type LogRecord, saidElsewhere } from "./otlp/messages.ts";
import { scopeOf } from "./sdk-span.ts";
import type { Place } from "./span.ts";

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

/** Sends a line as a record; `place` is the span that it was said in. */
export type Emit = (line: string, place: Place | undefined) => void;

export function loggerOfSdk(): Emit {
  const logger = logs.getLogger("gatehouse");
  return (line, place) => {
    const { atMs, severity, severityText, body, said } = recordOf(line, place);
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
  return {
    write(line) {
      const at = activeSpan.getStore();
      const place = at?.isUnknown ? undefined : at;
      destination.write(
        place
          ? `${line.slice(0, -endOfLine.length)},"trace_id":"${place.traceId}","span_id":"${place.spanId}"${endOfLine}`
          : line,
      );
      emit?.(line, place);
    },
  };
}

export function recordOf(line: string, place: Place | undefined): LogRecord {
  const said: Record<string, unknown> = JSON.parse(line);
  const { level, time, msg } = said;
  const [severity, severityText] = severities.get(level) ?? [SeverityNumber.INFO, "INFO"];
  const atMs = typeof time === "number" ? time : Date.now();
  return { atMs, severity, severityText, body: String(msg ?? ""), said, place };
}
