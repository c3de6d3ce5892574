import { diag } from "@opentelemetry/api";
import { startNodeSDK } from "@opentelemetry/sdk-node";
import type { Logger } from "pino";
import { logFields, withRecords } from "./logs.ts";
import { createSpans } from "./spans.ts";
import type { Telemetry } from "./telemetry.ts";

/** The last spans of a process that ends have this long to be sent. */
const closeWithinMs = 5_000;

/**
 * Starts OpenTelemetry by its own settings (`OTEL_…`): where to, by which protocol, how many traces. Imported only where
 * telemetry is wanted.
 */
export function openTelemetry(environment: Record<string, string | undefined>): Telemetry {
  const isNamed =
    Boolean(environment.OTEL_SERVICE_NAME) ||
    /(?:^|,)\s*service\.name=/.test(environment.OTEL_RESOURCE_ATTRIBUTES ?? "");
  const sdk = startNodeSDK(isNamed ? {} : { resourceAttributes: { "service.name": "gatehouse" } });
  return {
    ...createSpans({ tellsContent: asksForContent(environment) }),
    logFields,
    withRecords,
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeWithinMs);
      await Promise.race([sdk.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/** A collector that cannot be reached is a warning in the log, not text between its lines. */
export function tellProblems(log: Logger): void {
  const say =
    (level: "error" | "warn" | "debug") =>
    (message: string, ...more: unknown[]) =>
      log[level]({ more: more.length > 0 ? more.map(String) : undefined }, `opentelemetry: ${message}`);
  const debug = say("debug");
  diag.setLogger(
    { error: say("error"), warn: say("warn"), info: debug, debug, verbose: debug },
    { suppressOverrideMessage: true },
  );
}

function asksForContent({
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: asked = "",
}: Record<string, string | undefined>): boolean {
  return ["true", "span_only", "span_and_event"].includes(asked.trim().toLowerCase());
}
