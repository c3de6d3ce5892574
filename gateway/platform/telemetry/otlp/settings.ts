import { setTimeout as sleep } from "node:timers/promises";
import { TraceFlags } from "@opentelemetry/api";
import { Pool } from "undici";
import { type RetrySchedule, retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { activeSpan, type Place } from "../span.ts";
import type { BatchSettings } from "./batch.ts";
import type { Id } from "./id.ts";

type Environment = Record<string, string | undefined>;

/** Settings that this code reads, and those without effect on how spans and records are sent. */
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
  /** These three fields: null if that kind of telemetry is off. */
  traces: Sending | null;
  metrics: Sending | null;
  logs: Sending | null;
}

/**
 * The usual settings, with which everything is sent as protobuf over HTTP. Null if anything else is set: the
 * SDK supports all settings, but takes several times the processor time.
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

/** `name=value,name=value`, percent-encoded; null if unreadable. */
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

/** OTLP defines these statuses as retryable. */
const retryable = [429, 502, 503, 504];
const maxTries = 5;
const sendAgain: RetrySchedule = { firstMs: 1_000, factor: 1.5 };
/** Answers contain little; the rest of a longer one is not read. */
const longestAnswerBytes = 64_000;
const connections = 2;

interface Destination {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
}

/**
 * Sends OTLP over HTTP. Rejects if it was not received within the time-out, after as many tries as fit into
 * it. Uses undici, like calls of upstreams: a client of `node:http` shares code with the server, which V8
 * then compiles for both, and slower.
 */
export function createSender({ url, headers, timeoutMs }: Destination) {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections });
  const request = {
    method: "POST",
    path: pathname + search,
    headers: { ...headers, "content-type": "application/x-protobuf" },
  } as const;

  async function send(body: Buffer): Promise<void> {
    // `AbortSignal.timeout` is not used, because its timer would fire for each request that was received long
    // before.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    await tryUntilReceived(body, late.signal).finally(() => clearTimeout(timer));
  }

  async function tryUntilReceived(body: Buffer, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const status = await post(body, signal).catch((error: unknown) => {
        if (signal.aborted || tries === maxTries) throw error;
        return 503;
      });
      if (status >= 200 && status < 300) return;
      if (!retryable.includes(status) || tries === maxTries) throw new Error(`${url} answered ${status}`);
      await sleep(retryWaitMs(sendAgain, tries), undefined, { signal, ref: false });
    }
  }

  async function post(body: Buffer, signal: AbortSignal): Promise<number> {
    const sent = exchange(pool, { ...request, body }, { maxBytes: longestAnswerBytes, signal });
    return (await sent.answer).status;
  }

  return {
    // Runs outside the span that happens to be active.
    send: (body: Buffer) => activeSpan.exit(() => send(body)),
    close: () => pool.destroy(),
  };
}

/** Whether a span is recorded. */
export type Sampler = (parent: Place | undefined, trace: Id) => boolean;

const always: Sampler = () => true;
const never: Sampler = () => false;

/** The samplers that OpenTelemetry defines; null for any other. */
export function samplerOf(name = "parentbased_always_on", argument = "1"): Sampler | null {
  const ratio = Number(argument);
  if (!(ratio >= 0 && ratio <= 1)) return null;
  const roots = new Map([
    ["always_on", always],
    ["always_off", never],
    ["traceidratio", byRatio(ratio)],
  ]);
  const root = roots.get(name.replace(/^parentbased_/, ""));
  if (!root) return null;
  return name.startsWith("parentbased_") ? asParent(root) : root;
}

function asParent(root: Sampler): Sampler {
  return (parent, trace) => (parent ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : root(parent, trace));
}

/** Chooses the same traces in every process, and the same as the SDK. */
function byRatio(ratio: number): Sampler {
  const below = ratio === 1 ? 2 ** 32 : Math.floor(ratio * (2 ** 32 - 1));
  return (_parent, { bytes, at, length }) => {
    let folded = 0;
    for (let place = at; place < at + length; place += 4) folded ^= bytes.readInt32BE(place);
    return folded >>> 0 < below;
  };
}
