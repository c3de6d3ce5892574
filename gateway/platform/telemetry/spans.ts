import {
  createTraceState,
  isValidSpanId,
  isValidTraceId,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  trace,
} from "@opentelemetry/api";
import { clock } from "#gateway/platform/core/clock.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import {
  accountFacts,
  answerFacts,
  type CallKind,
  callKind,
  inputFacts,
  MadeOnce,
  outputFacts,
  reasonFacts,
  runFacts,
} from "./gen-ai.ts";
import { createFigures, type Figures, type Instruments } from "./metrics.ts";
import { activeSpan, type Place, type Span, type SpanStarter } from "./span.ts";
import type {
  AnsweredRequest,
  BegunAttempt,
  BegunCall,
  BegunRequest,
  Facts,
  ModelAnswer,
  ModelCall,
  Telemetry,
  TraceHeaders,
} from "./telemetry.ts";

/** The most jobs whose polls are recorded until they end, and the most polls per job. */
const most = { jobs: 10_000, polls: 100 } as const;

interface Options {
  startSpan: SpanStarter;
  instruments: Instruments;
  /** Whether prompts and answers are recorded. */
  tellsContent: boolean;
}

type Spans = Omit<Telemetry, "withRecords" | "close">;

/** Creates the spans, and the metrics that are measured with them. */
export function createSpans({ startSpan, instruments, tellsContent }: Options): Spans {
  const figures = createFigures(instruments);
  const polls = new Map<string, Date[]>();
  const callerOf = createReader();

  return {
    request: (headers, cause) =>
      new TracedRequest(startSpan("request", SpanKind.SERVER, placeIn(cause) ?? callerOf(headers)), figures),
    async span(name, facts, work) {
      const span = startSpan(name, SpanKind.INTERNAL, activeSpan.getStore());
      span.say(facts);
      return endWith(span, activeSpan.run(span, work));
    },
    step: (name, work) => endWith(startSpan(name, SpanKind.INTERNAL, activeSpan.getStore()), work()),
    modelCall(call) {
      const kind = callKind(call, null);
      const name = call.startsJob ? `start ${kind.name}` : kind.name;
      const span = startSpan(name, SpanKind.CLIENT, activeSpan.getStore(), { facts: kind.facts });
      return new TracedCall({ call, kind, span, figures, tellsContent });
    },
    polled(runId) {
      const times = polls.get(runId) ?? [];
      if (times.length < most.polls) times.push(clock.date());
      setBounded(polls, runId, times, most.jobs);
    },
    jobEnded(job) {
      const { startedAt, endedAt, code, runId, events } = job;
      const { name, facts, labels } = callKind(job, code);
      const span = startSpan(name, SpanKind.CLIENT, placeIn(job.traceparent), { facts, startedAt });
      span.sayShared(accountFacts(job.accountId));
      span.say(answerFacts(runId, {}));
      for (const { name, at } of events) span.event(name, at);
      for (const at of polls.get(runId) ?? []) span.event("polled", at);
      polls.delete(runId);
      figures.call((endedAt.getTime() - startedAt.getTime()) / 1000, labels);
      span.end(code, endedAt);
    },
    attempt(traceparent, attempt, facts) {
      const event = placeIn(traceparent);
      // Starts a new trace, because a retry hours later would keep the first one open.
      const isLater = attempt > 1;
      const span = startSpan("deliver webhook", SpanKind.PRODUCER, isLater ? undefined : event, {
        links: isLater && event ? [event] : [],
      });
      span.say({ ...facts, "gatehouse.delivery.attempt": attempt });
      return {
        end(code, more) {
          if (more) span.say(more);
          span.end(code);
        },
        headers: headersOf(span),
      };
    },
    position: () => storedPlace(activeSpan.getStore()),
    resume: (traceparent, work) => activeSpan.run(placeIn(traceparent), work),
  };
}

class TracedRequest implements BegunRequest {
  private readonly span: Span;
  private readonly figures: Figures;

  constructor(span: Span, figures: Figures) {
    this.span = span;
    this.figures = figures;
  }

  enter(): void {
    if (activeSpan.getStore() !== this.span) activeSpan.enterWith(this.span);
  }

  reached(name: string): void {
    if (this.span.isRecorded) this.span.event(name, clock.date());
  }

  position(): string | null {
    return storedPlace(this.span);
  }

  end(answered: AnsweredRequest): void {
    const { span, figures } = this;
    const kind = requestKind(answered);
    figures.request(answered.ms / 1000, kind.labels);
    if (!span.isRecorded) return;
    span.rename(kind.name);
    span.sayShared(kind.facts);
    span.sayShared(callerFacts(answered));
    span.say({ "gatehouse.request.id": answered.id });
    span.end(kind.failure);
  }
}

interface CallParts {
  call: ModelCall;
  kind: CallKind;
  span: Span;
  figures: Figures;
  tellsContent: boolean;
}

class TracedCall implements BegunCall {
  private readonly parts: CallParts;
  private readonly begunMs = performance.now();
  private isAnswered = false;
  private isOver = false;

  constructor(parts: CallParts) {
    this.parts = parts;
    const { call, span, tellsContent } = parts;
    if (!span.isRecorded) return;
    span.sayShared(accountFacts(call.accountId));
    if (tellsContent) span.say(inputFacts(call));
  }

  headers(): TraceHeaders {
    const { traceparent, ...state } = headersOf(this.parts.span);
    return traceparent === "" ? {} : { traceparent, ...state };
  }

  hasBegun(): void {
    const { figures, kind } = this.parts;
    figures.firstChunk(this.seconds(), kind.labels);
  }

  answered(answer: ModelAnswer): void {
    const { call, kind, span, figures, tellsContent } = this.parts;
    if (answer.tokens) {
      figures.tokens(answer.tokens.input, kind.inputLabels);
      figures.tokens(answer.tokens.output, kind.outputLabels);
    }
    if (!span.isRecorded) return;
    this.isAnswered = true;
    span.say(answerFacts(call.runId, answer));
    if (answer.finishReasons) span.sayShared(reasonFacts(answer.finishReasons));
    if (tellsContent) span.say(outputFacts(answer));
  }

  end(code: string | null): void {
    if (this.isOver) return;
    this.isOver = true;
    const { call, kind, span, figures } = this.parts;
    if (!call.startsJob)
      figures.call(this.seconds(), code === null ? kind.labels : callKind(call, code).labels);
    if (!this.isAnswered && span.isRecorded) span.say(runFacts(call.runId));
    span.end(code);
  }

  private seconds(): number {
    return (performance.now() - this.begunMs) / 1000;
  }
}

function headersOf(span: Span): BegunAttempt["headers"] {
  const tracestate = span.traceState?.serialize();
  return { traceparent: traceparentOf(span) ?? "", ...(tracestate && { tracestate }) };
}

async function endWith<Result>(span: Span, work: Promise<Result>): Promise<Result> {
  try {
    const result = await work;
    span.end(null);
    return result;
  } catch (error) {
    span.end(codeOf(error));
    throw error;
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string") return code;
  return error instanceof Error ? error.name : "error";
}

/** Reads the caller's span from the headers that the settings name. Most callers send none. */
function createReader(): (headers: Record<string, unknown>) => SpanContext | undefined {
  const names = propagation.fields();
  return (headers) =>
    names.some((name) => headers[name] !== undefined)
      ? trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))
      : undefined;
}

/**
 * W3C's header, which is stored and sent whatever other headers the settings name. In a row, the caller's
 * `tracestate` follows it after a space, if there is one.
 */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?: (.+))?$/;

/** The place of a span in the form in which rows store it. */
function storedPlace(at: Place | undefined): string | null {
  const traceparent = traceparentOf(at);
  const state = at?.traceState?.serialize();
  return traceparent && state ? `${traceparent} ${state}` : traceparent;
}

function traceparentOf(at: Place | undefined): string | null {
  if (!at || !isValidTraceId(at.traceId) || !isValidSpanId(at.spanId)) return null;
  return `00-${at.traceId}-${at.spanId}-${at.traceFlags.toString(16).padStart(2, "0")}`;
}

function placeIn(stored: string | null): Place | undefined {
  const [, traceId, spanId, flags, state] = pattern.exec(stored ?? "") ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const traceState = state === undefined ? undefined : createTraceState(state);
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), traceState, isRemote: true };
}

/** The shared facts of requests to one route with the same kind of answer. */
interface RequestKind {
  name: string;
  /** Labels of metrics, with few values. */
  labels: Facts;
  facts: Facts;
  /**
   * The error code, only for a status of 500 and above: in the conventions a client's mistake is not an error
   * of the server.
   */
  failure: string | null;
}

const kinds = new MadeOnce<RequestKind>();

function requestKind({ method, route, status, code }: AnsweredRequest): RequestKind {
  return kinds.of([route, method, status, code], () => {
    const failure = status >= 500 ? (code ?? String(status)) : null;
    const about = {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
    };
    return {
      name: `${method} ${route}`,
      labels: { ...about, ...(failure !== null && { "error.type": failure }) },
      facts: { ...about, "gatehouse.error.code": code ?? undefined },
      failure,
    };
  });
}

const whose = new MadeOnce<Facts>();

/** The caller's facts: the same object for equal requests. */
function callerFacts({ accountId, keyId, model, alias, region }: AnsweredRequest): Facts {
  return whose.of([accountId, keyId, model, alias, region], () => ({
    "gatehouse.account.id": accountId ?? undefined,
    "gatehouse.key.id": keyId ?? undefined,
    "gen_ai.request.model": model ?? undefined,
    "gatehouse.alias": alias ?? undefined,
    "gatehouse.region": region ?? undefined,
  }));
}
