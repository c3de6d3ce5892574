"use client";

import { Reply } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import type { ChatOutput, Run } from "@/lib/browser/runs/run";
import { AnswerText } from "./answer-text";

interface ChatViewProps {
  chat: ChatOutput;
  state: Run["state"];
  /** Continues the conversation. Null if its messages are not stored. */
  onReply: (() => void) | null;
}

/** The answer as Markdown, also while it streams and after it was stopped. */
export function ChatView({ chat, state, onReply }: ChatViewProps) {
  const done = state !== "running";
  return (
    <article className="min-w-0 rounded-panel border p-4">
      {chat.reasoning && (
        <details className="mb-3 text-muted">
          <summary className="cursor-pointer text-table font-medium">Reasoning</summary>
          <p className="mt-1 whitespace-pre-wrap wrap-anywhere text-table">{chat.reasoning}</p>
        </details>
      )}
      {chat.text && <AnswerText text={chat.text} />}
      {!done && (
        <span
          aria-hidden
          className="breathe mt-1 inline-block h-4 w-1.5 translate-y-0.5 bg-(--accent-fill)"
        />
      )}
      {chat.toolCalls.map((call) => (
        <div key={call.id} className="mt-3 rounded-control bg-sunken p-3">
          <p className="font-mono text-table font-medium">
            {call.name} <span className="text-muted">{call.id}</span>
          </p>
          <pre className="mt-1 overflow-x-auto font-mono text-table whitespace-pre-wrap wrap-anywhere">
            {call.arguments}
          </pre>
        </div>
      ))}
      {done && (
        <footer className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 border-t pt-2 text-meta text-muted">
          {state === "stopped" && (
            <span className="font-medium text-ink">You stopped this answer. The answer is incomplete.</span>
          )}
          {chat.finishReason && chat.finishReason !== "stop" && (
            <span>Finish reason: {chat.finishReason}</span>
          )}
          {chat.usage && (
            <span className="tabular">
              {chat.usage.prompt_tokens} tokens in, {chat.usage.completion_tokens} out
            </span>
          )}
          <span className="ml-auto inline-flex items-center gap-1">
            {onReply && (chat.text || chat.toolCalls.length > 0) && (
              <Button size="sm" icon={<Reply size={14} aria-hidden />} onClick={onReply}>
                Add the answer and reply
              </Button>
            )}
            <CopyButton value={chat.text} label="Copy answer" />
          </span>
        </footer>
      )}
    </article>
  );
}
