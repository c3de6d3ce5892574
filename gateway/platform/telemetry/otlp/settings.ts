import type { BatchSettings } from "./batch.ts";
import { type Sampler, samplerOf } from "./sampler.ts";
import type { Destination } from "./sender.ts";

type Environment = Record<string, string | undefined>;

/** The settings that are read here, and those that change nothing of how spans and records are sent. */
const known = [
  /^OTEL_EXPORTER_OTLP_((TRACES|METRICS|LOGS)_)?(ENDPOINT|HEADERS|TIMEOUT|PROTOCOL)$/,
  /^OTEL_(TRACES|METRICS|LOGS)_EXPORTER$/,
  /^OTEL_TRACES_SAMPLER(_ARG)?$/,
  /^OTEL_(BSP|BLRP)_(SCHEDULE_DELAY|MAX_QUEUE_SIZE|MAX_EXPORT_BATCH_SIZE|EXPORT_TIMEOUT)$/,
  /^OTEL_METRIC_EXPORT_(INTERVAL|TIMEOUT)$/,
  /^OTEL_(SERVICE_NAME|RESOURCE_ATTRIBUTES|NODE_RESOURCE_DETECTORS|PROPAGATORS|LOG_LEVEL|SDK_DISABLED)$/,
  /^OTEL_INSTRUMENTATION_GENAI_/,
];

export interface Sending extends Destination, BatchSettings {}

export interface OtlpSettings {
  sampler: Sampler;
  /** Null: they are not wanted. */
  traces: Sending | null;
  metrics: Sending | null;
  logs: Sending | null;
}

/**
 * The usual settings, with which all goes out as protobuf over HTTP. Null where anything else is set: the SDK can do all
 * of it, and takes several times the processor time.
 */
export function otlpSettings(environment: Environment): OtlpSettings | null {
  const names = Object.keys(environment).filter((name) => name.startsWith("OTEL_") && environment[name]);
  if (!names.every((name) => known.some((pattern) => pattern.test(name)))) return null;
  const sampler = samplerOf(environment.OTEL_TRACES_SAMPLER, environment.OTEL_TRACES_SAMPLER_ARG);
  const traces = sendingOf(environment, "TRACES", { batch: "BSP", delayMs: 5_000 });
  const metrics = sendingOf(environment, "METRICS", { delayMs: 60_000 });
  const logs = sendingOf(environment, "LOGS", { batch: "BLRP", delayMs: 1_000 });
  if (!sampler || traces === "other" || metrics === "other" || logs === "other") return null;
  return { sampler, traces, metrics, logs };
}

function sendingOf(
  environment: Environment,
  signal: "TRACES" | "METRICS" | "LOGS",
  { batch, delayMs }: { batch?: string; delayMs: number },
): Sending | null | "other" {
  const exporter = environment[`OTEL_${signal}_EXPORTER`] || "otlp";
  if (exporter === "none") return null;
  const own = (name: string) => environment[`OTEL_EXPORTER_OTLP_${signal}_${name}`] || undefined;
  const of = (name: string) => own(name) ?? (environment[`OTEL_EXPORTER_OTLP_${name}`] || undefined);
  const url =
    own("ENDPOINT") ??
    `${(of("ENDPOINT") ?? "http://localhost:4318").replace(/\/$/, "")}/v1/${signal.toLowerCase()}`;
  const [common, special] = [headersOf(environment.OTEL_EXPORTER_OTLP_HEADERS), headersOf(own("HEADERS"))];
  const number = (name: string, otherwise: number) => Number(environment[`OTEL_${name}`] || otherwise);
  const numbers = {
    timeoutMs: Number(of("TIMEOUT") ?? 10_000),
    delayMs: number(batch ? `${batch}_SCHEDULE_DELAY` : "METRIC_EXPORT_INTERVAL", delayMs),
    batchSize: number(`${batch}_MAX_EXPORT_BATCH_SIZE`, 512),
    queueSize: number(`${batch}_MAX_QUEUE_SIZE`, 2_048),
  };
  const { protocol = "", username = "" } = URL.parse(url) ?? {};
  const isUsual =
    exporter === "otlp" &&
    (of("PROTOCOL") ?? "http/protobuf") === "http/protobuf" &&
    /^https?:$/.test(protocol) &&
    username === "" &&
    common !== null &&
    special !== null &&
    Object.values(numbers).every((value) => value > 0);
  return isUsual ? { url, headers: { ...common, ...special }, ...numbers } : "other";
}

/** `name=value,name=value`, percent-encoded; null when they cannot be read. */
function headersOf(text = ""): Record<string, string> | null {
  const pairs = text.split(",").filter((pair) => pair.includes("="));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf("=");
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
    );
  } catch {
    return null;
  }
}
