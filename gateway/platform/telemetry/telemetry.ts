import type { DestinationStream } from "pino";

/** What a span or a figure says, by OpenTelemetry's names and, where it has none, `gatehouse.*`. */
export type Facts = Record<string, string | number | boolean | string[] | undefined>;

/** One try of an operation at an upstream. */
export interface ModelCall {
  runId: string;
  accountId: string;
  model: string;
  apiType: string;
  provider: string;
  region: string;
  /** Its messages or prompt are told only where the settings ask for it. */
  input: Record<string, unknown>;
  /** Only hands the run over: it goes on as a job. */
  startsJob: boolean;
}

/** How an upstream answered. */
export interface ModelAnswer {
  tokens?: { input: number; output: number };
  finishReasons?: string[];
  /** Asked only where the settings want them told. */
  messages?(): readonly { content?: unknown; tool_calls?: unknown }[];
}

/** Something that has begun. It ends once: what is said later is ignored. */
export interface Begun {
  /** `code` says why it failed; null: it did not. */
  end(code: string | null, facts?: Facts): void;
}

export interface BegunCall extends Begun {
  /** The first piece of a streamed answer is here. */
  hasBegun(): void;
  answered(answer: ModelAnswer): void;
}

/** A request that was answered; null: it has none. */
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
  /** What happens from here on in the same callback, and what comes of it, happens within its span. */
  enter(): void;
  /** An event of its span. */
  reached(name: string): void;
  end(answered: AnsweredRequest): void;
}

export interface BegunAttempt extends Begun {
  /** Sent to the receiver; the `tracestate` is the caller's, with the first attempt. */
  headers: { traceparent: string; tracestate?: string };
}

/** A job that has ended, told afterwards by the process that settled it. */
export interface EndedJob extends Omit<ModelCall, "input" | "startsJob"> {
  /** Where its request was, as `position` has it. */
  traceparent: string | null;
  startedAt: Date;
  endedAt: Date;
  code: string | null;
  /** What its timeline says meanwhile. */
  events: readonly { name: string; at: Date }[];
}

/**
 * OpenTelemetry's traces, metrics and logs. Without it (`context.telemetry` is null) a request costs one comparison. Other
 * processes continue a trace, also later: its `traceparent` and `tracestate` are stored with a row.
 */
export interface Telemetry {
  /** A request of a client, in the trace that its `traceparent` names. */
  request(headers: Record<string, string | string[] | undefined>): BegunRequest;
  /** Does a part of what is being done in a span of its own. */
  span<Result>(name: string, facts: Facts, work: () => Promise<Result>): Promise<Result>;
  /** The same of a part without parts of its own: log lines and what is begun meanwhile belong to the whole, which costs less. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  modelCall(call: ModelCall): BegunCall;
  /** Notes that an upstream was asked how a job is. */
  polled(runId: string): void;
  jobEnded(job: EndedJob): void;
  /** An attempt at a receiver: the first one within the trace of its event, later ones in their own with a link to it. */
  attempt(traceparent: string | null, attempt: number, facts: Facts): BegunAttempt;
  /** Where the trace is now, as it is stored; null: in none that is recorded. */
  position(): string | null;
  /** Goes on where a trace was. */
  resume<Result>(traceparent: string | null, work: () => Result): Result;
  /** Log lines go to `destination` with their span's name, and as records to where the settings say. */
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

/** Whether the settings name where telemetry goes to; OpenTelemetry's own switch turns it off again. */
export function isTelemetryWanted(environment: Record<string, string | undefined>): boolean {
  if (environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return false;
  return switches.some((name) => Boolean(environment[name]?.trim()));
}
