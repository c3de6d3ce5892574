"use client";

import { useDeferredValue } from "react";
import { callsOf, textOfMessage } from "@/lib/schema-form/messages";
import { AnswerText, PlainText } from "../output/answer-text";
import { Thinking } from "./thinking";
import { ToolCall } from "./tool-call";
import type { TurnProps } from "./turn";

/** A finished answer: what the model thought, said and called. */
export function Answer({ at, message, results, facts, isLast, busy, actions }: TurnProps) {
  const text = textOfMessage(message);
  const calls = callsOf(message);
  const resultOf = (id: unknown) => results.find(({ tool_call_id: answered }) => answered === id);
  const isOpen = isLast && calls.length > 0;
  return (
    <article className="flex min-w-0 flex-col gap-3">
      {facts?.reasoning && <Thinking text={facts.reasoning} ms={facts.reasoning_ms ?? null} />}
      {text && <Text key={text} text={text} />}
      {calls.map((call, index) => {
        const id = String(call.id);
        const result = resultOf(call.id);
        return (
          <ToolCall
            // biome-ignore lint/suspicious/noArrayIndexKey: calls of an answer never change
            key={index}
            call={call}
            result={result ? textOfMessage(result) : ""}
            isOpen={isOpen}
            busy={busy}
            onResult={(given) => actions.answerCall(at, id, given)}
            onSend={actions.sendResults}
          />
        );
      })}
    </article>
  );
}

/** Plain text first, and Markdown as the browser has time: a long conversation opens at once. */
function Text({ text }: { text: string }) {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? <AnswerText text={text} /> : <PlainText text={text} />;
}
