import { diag, SamplingDecision, trace } from "@opentelemetry/api";
import { startNodeSDK } from "@opentelemetry/sdk-node";
import type { Logger } from "pino";
import { loggerOfSdk, spanStarterOfSdk, withRecords } from "./logs.ts";
import { instrumentsOfSdk } from "./metrics.ts";
import { otlpSettings } from "./otlp/settings.ts";
import { startOtlp } from "./otlp/start.ts";
import { createSpans } from "./spans.ts";
import type { Telemetry } from "./telemetry.ts";

/** The time for a stopping process to send its last spans. */
const closeWithinMs = 5_000;

/**
 * Starts OpenTelemetry with its own settings (`OTEL_…`): destination, protocol, sampling. Imported only if
 * telemetry is wanted. With the usual settings no recorded data goes through the SDK.
 */
export function openTelemetry(environment: Record<string, string | undefined>): Telemetry {
  const settings = otlpSettings(environment);
  const found = Promise.withResolvers<object>();
  const sdk = startNodeSDK({
    ...(!isNamed(environment) && { resourceAttributes: { "service.name": "gatehouse" } }),
    ...(settings && { ...revealResource(found.resolve), metricReaders: [], logRecordProcessors: [] }),
  });
  if (settings) trace.getTracer("gatehouse").startSpan("resource").end();
  const otlp = settings && startOtlp(settings, found.promise);
  return {
    ...createSpans({
      startSpan: otlp?.startSpan ?? spanStarterOfSdk(),
      instruments: otlp?.metrics ?? instrumentsOfSdk(),
      tellsContent: asksForContent(environment),
    }),
    withRecords: (destination) => withRecords(destination, otlp ? otlp.emit : loggerOfSdk()),
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeWithinMs);
      const closed = Promise.all([sdk.shutdown(), otlp?.close()]);
      await Promise.race([closed.then(() => undefined).catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/** The SDK reveals its facts about this process and machine only with a span. */
function revealResource(tell: (attributes: object) => void): Parameters<typeof startNodeSDK>[0] {
  const nothing = () => Promise.resolve();
  return {
    sampler: { shouldSample: () => ({ decision: SamplingDecision.RECORD }) },
    spanProcessors: [
      {
        onStart({ resource }) {
          void Promise.resolve(resource.waitForAsyncAttributes?.()).then(() => tell(resource.attributes));
        },
        onEnd() {},
        forceFlush: nothing,
        shutdown: nothing,
      },
    ],
  };
}

function isNamed(environment: Record<string, string | undefined>): boolean {
  const { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES = "" } = environment;
  return Boolean(OTEL_SERVICE_NAME) || /(?:^|,)\s*service\.name=/.test(OTEL_RESOURCE_ATTRIBUTES);
}

/** Logs an unreachable collector as a warning instead of printing text between log lines. */
export function logProblems(log: Logger): void {
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
