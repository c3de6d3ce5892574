import { propagation, ROOT_CONTEXT, type SpanContext, SpanKind, trace } from "@opentelemetry/api";
import { clock } from "#gateway/core/clock.ts";
import { setBounded } from "#gateway/core/set-bounded.ts";
import { activeSpan } from "./active-span.ts";
import {
  accountFacts,
  answerFacts,
  callKind,
  inputFacts,
  outputFacts,
  reasonFacts,
  runFacts,
} from "./gen-ai.ts";
import { createFigures, type Instruments } from "./metrics.ts";
import { requestKind, whoseRequest } from "./request-facts.ts";
import type { Span, SpanStarter } from "./span.ts";
import type { Telemetry } from "./telemetry.ts";
import { placeIn, traceparentOf } from "./traceparent.ts";

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
    request(headers) {
      const span = startSpan("request", SpanKind.SERVER, callerOf(headers));
      return {
        enter: () => activeSpan.enterWith(span),
        reached: (name) => span.event(name, clock.date()),
        end(answered) {
          const kind = requestKind(answered);
          figures.request(answered.ms / 1000, kind.labels);
          if (!span.isRecorded) return;
          span.rename(kind.name);
          span.sayShared(kind.facts);
          span.sayShared(whoseRequest(answered));
          span.say({ "gatehouse.request.id": answered.id });
          span.end(kind.failure);
        },
      };
    },
    async span(name, facts, work) {
      const span = startSpan(name, SpanKind.INTERNAL, activeSpan.getStore());
      span.say(facts);
      return endWith(span, activeSpan.run(span, work));
    },
    step: (name, work) => endWith(startSpan(name, SpanKind.INTERNAL, activeSpan.getStore()), work()),
    modelCall(call) {
      const begunMs = performance.now();
      const seconds = () => (performance.now() - begunMs) / 1000;
      const kind = callKind(call, null);
      const name = call.startsJob ? `start ${kind.name}` : kind.name;
      const span = startSpan(name, SpanKind.CLIENT, activeSpan.getStore(), { facts: kind.facts });
      if (span.isRecorded) {
        span.sayShared(accountFacts(call.accountId));
        span.say(runFacts(call.runId));
        if (tellsContent) span.say(inputFacts(call));
      }
      let isOver = false;
      return {
        hasBegun: () => figures.firstChunk(seconds(), kind.labels),
        answered(answer) {
          if (answer.tokens) {
            figures.tokens(answer.tokens.input, kind.inputLabels);
            figures.tokens(answer.tokens.output, kind.outputLabels);
          }
          if (!span.isRecorded) return;
          span.say(answerFacts(call.runId, answer));
          if (answer.finishReasons) span.sayShared(reasonFacts(answer.finishReasons));
          if (tellsContent) span.say(outputFacts(answer));
        },
        end(code) {
          if (isOver) return;
          isOver = true;
          if (!call.startsJob)
            figures.call(seconds(), code === null ? kind.labels : callKind(call, code).labels);
          span.end(code);
        },
      };
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
      span.say({ ...runFacts(runId), "gen_ai.response.id": runId });
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
        traceparent: traceparentOf(span) ?? "",
      };
    },
    position: () => traceparentOf(activeSpan.getStore()),
    resume: (traceparent, work) => activeSpan.run(placeIn(traceparent), work),
  };
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
