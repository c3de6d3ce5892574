"use client";

import { useRef } from "react";
import type { AnswerFacts } from "#contract/conversations.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import type { ChatOutput, Run } from "@/lib/browser/runs/run";
import { newRunKey } from "@/lib/browser/runs/run-key";
import type { JsonObject } from "@/lib/schema-form/json";
import { withAnswer } from "@/lib/schema-form/messages";

type Messages = readonly JsonObject[];

interface LaneHandlers {
  /**
   * Called with an answer: the messages, and the same messages with the answer and empty results for its
   * calls.
   */
  onAnswer: (asked: Messages, answered: Messages, facts: AnswerFacts) => void;
}

/** The requests to one model and their results. */
export function useLane({ onAnswer }: LaneHandlers) {
  const asked = useRef(new Map<string, Messages>());
  const latest = useRef(onAnswer);
  latest.current = onAnswer;
  return {
    /** Remembers which messages the run answers, unless `start` returns false. */
    ask(messages: Messages, start: (key: string) => boolean, key = newRunKey()): boolean {
      asked.current.set(key, messages);
      const isStarted = start(key);
      if (!isStarted) asked.current.delete(key);
      return isStarted;
    },
    onEnd(run: Run): void {
      const messages = asked.current.get(run.key);
      const answer = messages && answerOf(run);
      if (answer) latest.current(messages, messagesWith(messages, answer), factsOf(run, answer));
    },
    /** The run, if this page started it. */
    own: (run: Run | null): Run | null => (run && asked.current.has(run.key) ? run : null),
    /**
     * The run that answered, or failed to answer, these messages. Null if the run belongs to other messages.
     */
    runFor(past: Messages, run: Run | null): Run | null {
      const messages = run && asked.current.get(run.key);
      return messages && isSamePast(messages, past) ? run : null;
    },
  };
}

/** The answer of a run. Null without one. Leaves out calls with arguments that were cut off. */
function answerOf({ output, state }: Run): ChatOutput | null {
  if (output?.kind !== "chat") return null;
  const whole = state === "succeeded" ? output : { ...output, toolCalls: [] };
  return whole.text !== "" || whole.toolCalls.length > 0 ? whole : null;
}

function messagesWith(asked: Messages, answer: ChatOutput): Messages {
  const all = withAnswer(asked, answer);
  return all.at(-1)?.role === "user" ? all.slice(0, -1) : all;
}

/** Compares by identity first, because most messages are the same objects. */
export function isSamePast(one: Messages, other: Messages): boolean {
  return (
    one.length === other.length &&
    one.every((message, at) => message === other[at] || isSame(message, other[at]))
  );
}

/** The facts about a run that are stored with its answer. */
function factsOf(run: Run, output: ChatOutput): AnswerFacts {
  const { meta, state } = run;
  const { usage, finishReason } = output;
  const ended = state === "stopped" ? "stopped" : state === "failed" ? "interrupted" : null;
  const model = run.body.model;
  return {
    model: typeof model === "string" ? model : run.operationId,
    ...(output.reasoning && { reasoning: output.reasoning }),
    ...(run.thoughtMs != null && { reasoning_ms: run.thoughtMs }),
    ...(run.totalMs !== null && { total_ms: run.totalMs }),
    ...(isCount(usage?.prompt_tokens) && { input_tokens: usage.prompt_tokens }),
    ...(isCount(usage?.completion_tokens) && { output_tokens: usage.completion_tokens }),
    ...(finishReason && finishReason !== "stop" && { finish_reason: finishReason.slice(0, 100) }),
    ...(ended && { ended }),
    ...(meta?.cost && !meta.sandbox && { cost: meta.cost.slice(0, 100) }),
    ...(meta?.sandbox && { sandbox: true }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
