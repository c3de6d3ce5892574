import { propagation, ROOT_CONTEXT, type SpanContext, SpanKind, trace } from "@opentelemetry/api";
import { clock } from "#gateway/platform/core/clock.ts";
import { setBounded } from "#gateway/platform/core/set-bounded.ts";
import { activeSpan } from "./active-span.ts";
import {
  accountFacts,
  answerFacts,
  type CallKind,
  callKind,
  inputFacts,
  outputFacts,
  reasonFacts,
  runFacts,
} from "./gen-ai.ts";
import { createFigures, type Figures, type Instruments } from "./metrics.ts";
import { requestKind, whoseRequest } from "./request-facts.ts";
import type { Span, SpanStarter } from "./span.ts";
import type {
  AnsweredRequest,
  BegunAttempt,
  BegunCall,
  BegunRequest,
  ModelAnswer,
  ModelCall,
  Telemetry,
} from "./telemetry.ts";
import { placeIn, storedPlace, traceparentOf } from "./traceparent.ts";

/** Jobs whose polls are remembered until they end, and how many of each. */
const most = { jobs: 10_000, polls: 100 } as const;

interface Options {
  startSpan: SpanStarter;
  instruments: Instruments;
  /** Whether prompts and answers are told. */
  tellsContent: boolean;
}

type Spans = Omit<Telemetry, "withRecords" | "close">;

/** Makes the spans, and the figures that are measured with them. */
export function createSpans({ startSpan, instruments, tellsContent }: Options): Spans {
  const figures = createFigures(instruments);
  const polls = new Map<string, Date[]>();
  const callerOf = createReader();

  return {
    request: (headers) =>
      new TracedRequest(startSpan("request", SpanKind.SERVER, callerOf(headers)), figures),
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
      // A retry hours later would make the first trace endless.
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

  end(answered: AnsweredRequest): void {
    const { span, figures } = this;
    const kind = requestKind(answered);
    figures.request(answered.ms / 1000, kind.labels);
    if (!span.isRecorded) return;
    span.rename(kind.name);
    span.sayShared(kind.facts);
    span.sayShared(whoseRequest(answered));
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

/** Reads the span of a caller, of the headers that the settings name. Most callers have none. */
function createReader(): (headers: Record<string, unknown>) => SpanContext | undefined {
  const names = propagation.fields();
  return (headers) =>
    names.some((name) => headers[name] !== undefined)
      ? trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers))
      : undefined;
}
