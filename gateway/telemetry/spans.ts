import {
  context as active,
  isSpanContextValid,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Context as Scope,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { clock } from "#gateway/core/clock.ts";
import { setBounded } from "#gateway/core/set-bounded.ts";
import { answerFacts, callFacts, callLabels, callName, inputFacts, jobFacts, outputFacts } from "./gen-ai.ts";
import { createFigures, type Instruments } from "./metrics.ts";
import type { SpanStarter } from "./otlp/tracer.ts";
import type { Begun, Facts, Telemetry } from "./telemetry.ts";

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

  return {
    request(headers) {
      const span = startSpan(
        "request",
        { kind: SpanKind.SERVER },
        propagation.extract(ROOT_CONTEXT, headers),
      );
      const scope = trace.setSpan(ROOT_CONTEXT, span);
      return {
        within: (work) => active.with(scope, work),
        end({ method, route, status, code, ms, facts }) {
          const about = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            ...(code !== null && status >= 500 && { "error.type": code }),
          };
          figures.request(ms / 1000, about);
          if (!span.isRecording()) return;
          span.updateName(`${method} ${route}`);
          span.setAttributes({ ...about, ...facts() });
          // By the conventions a client's mistake is no error of the server.
          finish(span, status >= 500 ? (code ?? String(status)) : null);
        },
      };
    },
    async span(name, facts, work) {
      const begun = begin(name, SpanKind.INTERNAL, facts);
      try {
        const result = await begun.within(work);
        begun.end(null);
        return result;
      } catch (error) {
        begun.end(codeOf(error));
        throw error;
      }
    },
    modelCall(call) {
      const begunMs = performance.now();
      const seconds = () => (performance.now() - begunMs) / 1000;
      const name = call.startsJob ? `start ${callName(call)}` : callName(call);
      const begun = begin(name, SpanKind.CLIENT, {
        ...callFacts(call),
        ...(tellsContent && inputFacts(call)),
      });
      const labels = callLabels(call, null);
      let isOver = false;
      return {
        within: begun.within,
        hasBegun: () => figures.firstChunk(seconds(), labels),
        answered(answer) {
          if (answer.tokens) {
            figures.tokens("input", answer.tokens.input, labels);
            figures.tokens("output", answer.tokens.output, labels);
          }
          if (!begun.span.isRecording()) return;
          begun.span.setAttributes({
            ...answerFacts(call.runId, answer),
            ...(tellsContent && outputFacts(answer)),
          });
        },
        end(code) {
          if (isOver) return;
          isOver = true;
          if (!call.startsJob)
            figures.call(seconds(), code === null ? labels : { ...labels, "error.type": code });
          begun.end(code);
        },
      };
    },
    polled(runId) {
      const times = polls.get(runId) ?? [];
      if (times.length < most.polls) times.push(clock.date());
      setBounded(polls, runId, times, most.jobs);
    },
    jobEnded(job) {
      const { startedAt, endedAt, code, runId } = job;
      const span = startSpan(
        callName(job),
        { kind: SpanKind.CLIENT, startTime: startedAt, attributes: jobFacts(job) },
        scopeOf(job.traceparent),
      );
      for (const { name, at } of job.events) span.addEvent(name, at);
      for (const at of polls.get(runId) ?? []) span.addEvent("polled", at);
      polls.delete(runId);
      figures.call((endedAt.getTime() - startedAt.getTime()) / 1000, callLabels(job, code));
      finish(span, code, endedAt);
    },
    attempt(traceparent, attempt, facts) {
      const about = { ...facts, "gatehouse.delivery.attempt": attempt };
      const event = scopeOf(traceparent);
      const eventSpan = trace.getSpanContext(event);
      // A retry hours later would make the first trace endless.
      const links: Link[] = attempt > 1 && eventSpan ? [{ context: eventSpan }] : [];
      const begun = begin(
        "deliver webhook",
        SpanKind.PRODUCER,
        about,
        attempt > 1 ? ROOT_CONTEXT : event,
        links,
      );
      return { within: begun.within, end: begun.end, traceparent: traceparentOf(begun.span) ?? "" };
    },
    position: () => traceparentOf(trace.getActiveSpan()),
    resume: (traceparent, work) => active.with(scopeOf(traceparent), work),
  };

  function begin(
    name: string,
    kind: SpanKind,
    attributes: Facts,
    parent: Scope = active.active(),
    links: Link[] = [],
  ): Begun & { span: Span } {
    const span = startSpan(name, { kind, attributes, links }, parent);
    const scope = trace.setSpan(parent, span);
    return {
      span,
      within: (work) => active.with(scope, work),
      end(code, facts) {
        if (facts) span.setAttributes(facts);
        finish(span, code);
      },
    };
  }
}

/** Errors are told by their code: their words may have what somebody sent. */
function finish(span: Span, code: string | null, at?: Date): void {
  if (code !== null) {
    span.setAttribute("error.type", code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  }
  span.end(at);
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string") return code;
  return error instanceof Error ? error.name : "error";
}

function scopeOf(traceparent: string | null): Scope {
  return traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
}

/** As W3C's header has it, whatever other headers the settings name. */
function traceparentOf(span: Span | undefined): string | null {
  const at = span?.spanContext();
  if (!at || !isSpanContextValid(at)) return null;
  return `00-${at.traceId}-${at.spanId}-${at.traceFlags.toString(16).padStart(2, "0")}`;
}
