import { isSpanContextValid, logs, SeverityNumber, trace } from "@opentelemetry/api";
import type { DestinationStream } from "pino";

/** pino's levels. */
const severities = new Map<unknown, [SeverityNumber, string]>([
  [10, [SeverityNumber.TRACE, "TRACE"]],
  [20, [SeverityNumber.DEBUG, "DEBUG"]],
  [30, [SeverityNumber.INFO, "INFO"]],
  [40, [SeverityNumber.WARN, "WARN"]],
  [50, [SeverityNumber.ERROR, "ERROR"]],
  [60, [SeverityNumber.FATAL, "FATAL"]],
]);

export function logFields(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/** The record is made while the line is written, and so in the span that is active then. */
export function withRecords(destination: DestinationStream): DestinationStream {
  const logger = logs.getLogger("gatehouse");
  return {
    write(line) {
      destination.write(line);
      const { level, time, msg, pid, hostname, trace_id, span_id, ...rest } = JSON.parse(line) as Record<
        string,
        unknown
      >;
      const [severityNumber, severityText] = severities.get(level) ?? [SeverityNumber.INFO, "INFO"];
      logger.emit({
        ...(typeof time === "number" && { timestamp: time }),
        severityNumber,
        severityText,
        body: String(msg ?? ""),
        attributes: Object.fromEntries(
          Object.entries(rest).map(([name, value]) => [
            name,
            typeof value === "object" && value !== null ? JSON.stringify(value) : (value as string | number),
          ]),
        ),
      });
    },
  };
}
