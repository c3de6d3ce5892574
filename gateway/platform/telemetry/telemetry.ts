import type { DestinationStream } from "pino";

// Spans are made by hand, at the places that a reader of a trace looks for: automatic instrumentation of http, pg and undici costs
// more than a chat and says less. A job's span is made when it is settled, from its row, so a killed process loses no part of it.

/** Attributes of a span or metric: OpenTelemetry's names, or `gatehouse.*` if there is none. */
export type Facts = Record<string, string | number | boolean | string[] | undefined>;

/** One try of an operation at an upstream. */
export interface ModelCall {
  runId: string;
  accountId: string;
  model: string;
  apiType: string;
  provider: string;
  region: string;
  /** Contains messages or a prompt, which are recorded only if the settings ask for that. */
  input: Record<string, unknown>;
  /** True if the call only starts a job at the upstream, which then continues on its own. */
  startsJob: boolean;
}

/** An upstream's answer. */
export interface ModelAnswer {
  /** `cached`: the part of the input that came from the upstream's cache. */
  tokens?: { input: number; output: number; cached?: number };
  finishReasons?: string[];
  /** The answer's messages. Called only if the settings ask to record them. */
  messages?(): readonly { content?: unknown; tool_calls?: unknown }[];
}

/** An operation in progress. `end` takes effect only once; facts added later are ignored. */
export interface Begun {
  /** `code`: why it failed; null: it succeeded. */
  end(code: string | null, facts?: Facts): void;
}

/** Headers that continue a trace in another system (W3C Trace Context). */
export interface TraceHeaders {
  traceparent?: string;
  tracestate?: string;
}

export interface BegunCall extends Begun {
  /** Headers for the upstream, with the caller's `tracestate`. */
  headers(): TraceHeaders;
  /** The first piece of a streamed answer has arrived. */
  hasBegun(): void;
  answered(answer: ModelAnswer): void;
}

/** An answered request. A field is null if the request has no such value. */
export interface AnsweredRequest {
  id: string;
  method: string;
  route: string;
  status: number;
  code: string | null;
  ms: number;
  accountId: string | null;
  keyId: string | null;
  model: string | null;
  alias: string | null;
  region: string | null;
}

export interface BegunRequest {
  /** From here on, work in the same callback and everything that follows from it belongs to the span. */
  enter(): void;
  /** Adds an event to its span. */
  reached(name: string): void;
  /** The place of its span, in the form of `Telemetry.position`. */
  position(): string | null;
  end(answered: AnsweredRequest): void;
}

export interface BegunAttempt extends Begun {
  /** Headers for the receiver; the caller's `tracestate` is sent with the first attempt. */
  headers: { traceparent: string; tracestate?: string };
}

/** An ended job, reported by the process that settled it. */
export interface EndedJob extends Omit<ModelCall, "input" | "startsJob"> {
  /** The place of its request, as returned by `position`. */
  traceparent: string | null;
  startedAt: Date;
  endedAt: Date;
  code: string | null;
  /** The events of its timeline. */
  events: readonly { name: string; at: Date }[];
}

/**
 * OpenTelemetry's traces, metrics and logs. If it is off (`context.telemetry` is null) a request costs one
 * comparison. Other processes can continue a trace, even later: its `traceparent` and `tracestate` are stored
 * with a row.
 */
export interface Telemetry {
  /**
   * Starts the span of a client's request in the trace that its `traceparent` names, or of a request that
   * another one caused at its `position`.
   */
  request(headers: Record<string, string | string[] | undefined>, cause: string | null): BegunRequest;
  /** Runs a part of the current work in its own span. */
  span<Result>(name: string, facts: Facts, work: () => Promise<Result>): Promise<Result>;
  /**
   * Like `span`, but cheaper, for a part of the work that has no parts of its own: log lines and spans begun
   * during it belong to the surrounding span.
   */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  modelCall(call: ModelCall): BegunCall;
  /** Records that an upstream was asked for a job's state. */
  polled(runId: string): void;
  jobEnded(job: EndedJob): void;
  /**
   * Starts a delivery attempt: the first one inside the trace of its event, later ones in their own trace
   * with a link to it.
   */
  attempt(traceparent: string | null, attempt: number, facts: Facts): BegunAttempt;
  /** The current place in the trace, in a form that can be stored; null outside a recorded trace. */
  position(): string | null;
  /** Continues a stored trace. */
  resume<Result>(traceparent: string | null, work: () => Result): Result;
  /**
   * Writes log lines to `destination` with their span's name, and sends them as records to the destination in
   * the settings.
   */
  withRecords(destination: DestinationStream): DestinationStream;
  close(): Promise<void>;
}

const switches = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
  "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
  "OTEL_TRACES_EXPORTER",
  "OTEL_METRICS_EXPORTER",
  "OTEL_LOGS_EXPORTER",
  "OTEL_CONFIG_FILE",
];

/** Whether the settings name a destination for telemetry and OpenTelemetry's own switch is not off. */
export function isTelemetryWanted(environment: Record<string, string | undefined>): boolean {
  if (environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return false;
  return switches.some((name) => Boolean(environment[name]?.trim()));
}
