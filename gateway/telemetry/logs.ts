import { INVALID_TRACEID, logs, SeverityNumber, trace } from "@opentelemetry/api";
import type { DestinationStream } from "pino";
import type { LogRecord } from "./otlp/messages.ts";

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
const nowhere = { traceId: undefined, spanId: undefined, traceFlags: 0 };

/** Takes a record in the span that is active. */
export type Emit = (record: LogRecord) => void;

export function loggerOfSdk(): Emit {
  const logger = logs.getLogger("gatehouse");
  return ({ atMs, severity, severityText, body, fields }) =>
    logger.emit({
      timestamp: atMs,
      severityNumber: severity,
      severityText,
      body,
      attributes: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === "object" && value !== null ? JSON.stringify(value) : value,
        ]),
      ),
    });
}

/** Names the active span in each line, and makes a record of it while it is written, and so in that span. */
export function withRecords(destination: DestinationStream, emit: Emit | null): DestinationStream {
  return {
    write(line) {
      const at = trace.getActiveSpan()?.spanContext();
      const { traceId, spanId, traceFlags } = at && at.traceId !== INVALID_TRACEID ? at : nowhere;
      destination.write(
        traceId
          ? `${line.slice(0, -endOfLine.length)},"trace_id":"${traceId}","span_id":"${spanId}"${endOfLine}`
          : line,
      );
      if (!emit) return;
      const fields = JSON.parse(line);
      const { level, time, msg } = fields;
      const [severity, severityText] = severities.get(level) ?? [SeverityNumber.INFO, "INFO"];
      // What the record or its resource says anyway.
      for (const name of ["level", "time", "msg", "pid", "hostname"]) fields[name] = undefined;
      emit({
        atMs: typeof time === "number" ? time : Date.now(),
        severity,
        severityText,
        body: String(msg ?? ""),
        fields,
        traceId,
        spanId,
        flags: traceFlags,
      });
    },
  };
}
