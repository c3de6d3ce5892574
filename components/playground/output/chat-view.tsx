"use client";

import { Reply } from "lucide-react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import type { ChatOutput, Run } from "@/lib/browser/runs/run";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { picturesOf, textOfMessage } from "@/lib/schema-form/messages";
import { AnswerText } from "./answer-text.tsx";

interface ChatViewProps {
  chat: ChatOutput;
  state: Run["state"];
  /** Continues the conversation. Null if its messages are not stored. */
  onReply: (() => void) | null;
}

/** The answer as Markdown, also while it streams and after it was stopped. */
export function ChatView({ chat, state, onReply }: ChatViewProps) {
  const t = useWords("playground");
  const done = state !== "running";
  return (
    <article className="min-w-0 rounded-panel border p-4">
      {chat.reasoning && (
        <details className="mb-3 text-muted">
          <summary className="cursor-pointer text-table font-medium">{t("reasoning")}</summary>
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
          {state === "stopped" && <span className="font-medium text-ink">{t("youStoppedThisAnswer")}</span>}
          {chat.finishReason && chat.finishReason !== "stop" && (
            <span>{t("finishReason", { reason: chat.finishReason })}</span>
          )}
          {chat.usage && (
            <span className="tabular">
              {t("tokensInAndOut", {
                read: chat.usage.prompt_tokens ?? 0,
                written: chat.usage.completion_tokens ?? 0,
              })}
            </span>
          )}
          <span className="ml-auto inline-flex items-center gap-1">
            {onReply && (chat.text || chat.toolCalls.length > 0) && (
              <Button size="sm" icon={<Reply size={14} aria-hidden />} onClick={onReply}>
                {t("addTheAnswerAndReply")}
              </Button>
            )}
            <CopyButton value={chat.text} label={t("copyAnswer")} />
          </span>
        </footer>
      )}
    </article>
  );
}

const names = { user: "you", assistant: "model", tool: "toolResult" } as const;

const nameOf = (role: string) => (Object.hasOwn(names, role) ? names[role as keyof typeof names] : null);

/** The turns before an answer, oldest first. Renders nothing if there was no earlier answer. */
export function Conversation({ messages }: { messages: unknown }) {
  const t = useWords("playground");
  const turns = Array.isArray(messages) ? messages.filter(isObject) : [];
  if (!turns.some(({ role }) => role === "assistant")) return null;
  return (
    <ol aria-label={t("conversationSoFar")} className="flex min-w-0 flex-col gap-3">
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns may be equal, and those of a run never change
        <li key={index} className="flex min-w-0 flex-col">
          <Turn turn={turn} />
        </li>
      ))}
    </ol>
  );
}

function Turn({ turn }: { turn: JsonObject }) {
  const t = useWords("playground");
  const role = String(turn.role);
  const text = textOfMessage(turn);
  const pictures = picturesOf(turn).length;
  const calls = Array.isArray(turn.tool_calls) ? turn.tool_calls.filter(isObject) : [];
  if (role === "system")
    return (
      <details className="text-table text-muted">
        <summary className="cursor-pointer font-medium">{t("system")}</summary>
        <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{text}</p>
      </details>
    );
  const mine = role === "user";
  const name = nameOf(role);
  return (
    <div className={mine ? "max-w-[85%] self-end" : "max-w-full min-w-0"}>
      <p className={`text-meta text-muted ${mine ? "text-right" : ""}`}>{name ? t(name) : role}</p>
      <div className={mine || role === "tool" ? "rounded-panel bg-sunken px-3 py-2" : undefined}>
        {role === "assistant" ? (
          text && <AnswerText text={text} />
        ) : (
          <p className={`whitespace-pre-wrap wrap-anywhere ${role === "tool" ? "font-mono text-table" : ""}`}>
            {text}
          </p>
        )}
        {pictures > 0 && (
          <p className="mt-1 text-meta text-muted">{t("withPictures", { count: pictures })}</p>
        )}
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls of a past turn never change
          <ToolCall key={index} call={call} />
        ))}
      </div>
    </div>
  );
}

function ToolCall({ call }: { call: JsonObject }) {
  const called = isObject(call.function) ? call.function : {};
  return (
    <p className="mt-1 font-mono text-table wrap-anywhere">
      {String(called.name)}({String(called.arguments)})
    </p>
  );
}
