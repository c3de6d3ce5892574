"use client";

import type { Run } from "@/lib/browser/runs/run";
import { AnswerText } from "../output/answer-text";
import { Thinking } from "./thinking";
import { ToolCall } from "./tool-call";

/** The answer while it is written. */
export function LiveAnswer({ run }: { run: Run }) {
  const chat = run.output?.kind === "chat" ? run.output : null;
  return (
    <article aria-busy className="mt-5 flex min-w-0 flex-col gap-3">
      {chat?.reasoning && (
        <Thinking text={chat.reasoning} ms={run.thoughtMs ?? null} isOver={chat.text !== ""} />
      )}
      {chat?.text && <AnswerText text={chat.text} />}
      {chat?.toolCalls.map((call) => (
        <ToolCall key={call.id} call={{ id: call.id, function: call }} />
      ))}
      <p className="text-muted">
        <span
          aria-hidden
          className="breathe mr-1.5 inline-block h-4 w-1.5 translate-y-0.5 bg-(--accent-fill)"
        />
        <span className={chat?.text ? "sr-only" : "text-meta"}>Answering</span>
      </p>
    </article>
  );
}
