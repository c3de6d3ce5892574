"use client";

import { ChevronLeft, ChevronRight, PenLine, RotateCw, Wrench } from "lucide-react";
import { type KeyboardEvent, memo, useDeferredValue, useState } from "react";
import type { AnswerFacts } from "#contract/conversations.ts";
import { useWords } from "#words";
import { SandboxBadge } from "@/components/media/sandbox-badge";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Button, IconButton } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Textarea } from "@/components/ui/form/input";
import { TextareaField } from "@/components/ui/form/input-fields";
import { notPriced, tokenWords } from "@/lib/conversations/sum-of-answers";
import { formatDuration } from "@/lib/format";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { callsOf, picturesOf, textOfMessage, withContent } from "@/lib/schema-form/messages";
import type { Words } from "@/messages/words";
import { AnswerText, PlainText } from "../output/answer-text.tsx";
import { MessagePictures } from "./message-pictures.tsx";

const lists = ["results", "forks"] as const;

/** Actions for a message. */
export interface TurnActions {
  edit: (at: number, message: JsonObject) => void;
  /** Requests another answer at this position. */
  again: (at: number) => void;
  show: (place: number) => void;
  answerCall: (at: number, id: string, text: string) => void;
  sendResults: () => void;
}

/** A message to render. */
interface TurnProps {
  at: number;
  message: JsonObject;
  /** Results of the message's calls. */
  results: readonly JsonObject[];
  facts: AnswerFacts | null;
  /** Indexes of the branches at this position, and which of them this message is. */
  forks: readonly number[];
  chosen: number;
  isLast: boolean;
  isAlone: boolean;
  busy: boolean;
  actions: TurnActions;
}

/** Compares lists by content, because they are created anew for each rendering. */
function isEqual(one: TurnProps, other: TurnProps): boolean {
  return (Object.keys(one) as (keyof TurnProps)[]).every((name) => {
    if (!lists.some((list) => list === name)) return one[name] === other[name];
    const [was, is] = [one[name] as readonly unknown[], other[name] as readonly unknown[]];
    return was.length === is.length && was.every((item, at) => item === is[at]);
  });
}

/** A message with its actions. The browser skips the layout of messages that are far from the screen. */
export const TurnView = memo(function TurnView(props: TurnProps) {
  const { at, message, actions } = props;
  const [editing, setEditing] = useState(false);
  const isMine = message.role === "user";
  return (
    <li
      className={`group flex min-w-0 flex-col [contain-intrinsic-size:auto_120px] [content-visibility:auto] [overflow-clip-margin:24px] ${isMine && !editing ? "items-end" : ""}`}
    >
      {editing ? (
        <EditMessage
          message={message}
          onCancel={() => setEditing(false)}
          onDone={(changed) => {
            setEditing(false);
            actions.edit(at, changed);
          }}
        />
      ) : isMine ? (
        <Question message={message} />
      ) : message.role === "assistant" ? (
        <Answer {...props} />
      ) : (
        <Note message={message} />
      )}
      {!editing && <TurnFoot {...props} onEdit={() => setEditing(true)} />}
    </li>
  );
}, isEqual);

function Question({ message }: { message: JsonObject }) {
  const t = useWords("playground");
  const text = textOfMessage(message);
  return (
    <div className="flex max-w-[85%] min-w-0 flex-col gap-2 rounded-panel bg-sunken px-3 py-2">
      <p className="sr-only">{t("you")}</p>
      <MessagePictures urls={picturesOf(message)} />
      {text && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
    </div>
  );
}

/** A message of another role, or the result of a call that does not exist. */
function Note({ message }: { message: JsonObject }) {
  const t = useWords("playground");
  return (
    <div className="min-w-0 rounded-panel border border-dashed px-3 py-2">
      <p className="text-meta text-muted">
        {message.role === "tool" ? t("toolResult") : String(message.role)}
      </p>
      <p className="whitespace-pre-wrap wrap-anywhere">{textOfMessage(message)}</p>
    </div>
  );
}

interface EditMessageProps {
  message: JsonObject;
  onDone: (message: JsonObject) => void;
  onCancel: () => void;
}

/** Edits a message. The messages after it stay as another branch. */
function EditMessage({ message, onDone, onCancel }: EditMessageProps) {
  const t = useWords("playground");
  const [text, setText] = useState(textOfMessage(message));
  const pictures = picturesOf(message);
  const isMine = message.role === "user";
  const isEmpty = text.trim() === "" && pictures.length === 0;
  const done = () => {
    if (!isEmpty) onDone(withContent(message, text, pictures));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    }
    const sends = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!sends || event.repeat || event.keyCode === 229) return;
    // An answer has several lines, so Ctrl+Enter saves it.
    if (!isMine && !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    done();
  };
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      <MessagePictures urls={pictures} />
      <Textarea
        autoFocus
        aria-label={isMine ? t("editYourMessage") : t("editTheAnswer")}
        value={text}
        rows={Math.min(16, Math.max(2, text.split("\n").length, Math.ceil(text.length / 80)))}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button size="sm" variant="primary" disabled={isEmpty} onClick={done}>
          {isMine ? t("sendAgain") : t("save")}
        </Button>
      </div>
    </div>
  );
}

/** A finished answer: thoughts, text and calls. */
function Answer({ at, message, results, facts, isLast, busy, actions }: TurnProps) {
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

interface ToolCallProps {
  call: JsonObject;
  result?: string;
  /** True when the result is still missing. */
  isOpen?: boolean;
  busy?: boolean;
  onResult?: (text: string) => void;
  onSend?: () => void;
}

/** A function call of the model with its result, or a field to type the result. */
export function ToolCall({ call, result = "", isOpen = false, busy, onResult, onSend }: ToolCallProps) {
  const t = useWords("playground");
  const called = isObject(call.function) ? call.function : {};
  const name = String(called.name ?? "");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    onSend?.();
  };
  return (
    <section
      aria-label={t("callOfName", { name })}
      className="flex min-w-0 flex-col gap-2 rounded-panel border p-3"
    >
      <p className="flex min-w-0 items-center gap-2 font-mono text-table font-medium wrap-anywhere">
        <Wrench size={14} aria-hidden className="shrink-0 text-muted" />
        {name}
      </p>
      <CodeBlock
        language="json"
        code={readable(called.arguments)}
        label={t("argumentsOfName", { name })}
        wrap
      />
      {isOpen ? (
        <>
          <TextareaField
            label={t("resultOfName", { name })}
            hint={t("theFunctionsReturnValueAs")}
            rows={3}
            value={result}
            disabled={busy}
            onValue={onResult}
            onKeyDown={onKeyDown}
            mono
            look="text-table"
          />
          <Permitted to="operations:run">
            <Button size="sm" className="self-start" disabled={busy} onClick={onSend}>
              {t("sendTheResult")}
            </Button>
          </Permitted>
        </>
      ) : (
        result && (
          <CodeBlock language="json" code={readable(result)} label={t("resultOfName", { name })} wrap />
        )
      )}
    </section>
  );
}

/** Indents JSON. Any other text stays unchanged. */
function readable(text: unknown): string {
  if (typeof text !== "string") return "";
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface ThinkingProps {
  text: string;
  /** How long the model thought. Null if unknown. */
  ms: number | null;
  isOver?: boolean;
}

/** The model's thoughts before its answer, collapsed to one line. */
export function Thinking({ text, ms, isOver = true }: ThinkingProps) {
  const t = useWords("playground");
  return (
    <details className="group/thinking min-w-0 text-muted">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 text-table font-medium hover:text-ink">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open/thinking:rotate-90" />
        {isOver
          ? ms === null
            ? t("thoughts")
            : t("thoughtForMs", { ms: formatDuration(ms, t.language) })
          : t("thinking")}
      </summary>
      <p className="mt-1 border-l-2 pl-3 text-table whitespace-pre-wrap wrap-anywhere">{text}</p>
    </details>
  );
}

/**
 * Shows plain text first, and Markdown when the browser has time, so that a long conversation opens at once.
 */
function Text({ text }: { text: string }) {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? <AnswerText text={text} /> : <PlainText text={text} />;
}

/** Below a message: its branch, its facts and its actions. */
function TurnFoot(props: TurnProps & { onEdit: () => void }) {
  const t = useWords("playground");
  const tOfConversations = useWords("conversations");
  const { at, message, facts, busy, isAlone, actions, onEdit } = props;
  const { may } = useAccess();
  const isAnswer = message.role === "assistant";
  const text = textOfMessage(message);
  const mayAsk = may("operations:run");
  return (
    <div className="mt-1 flex min-h-7 min-w-0 flex-wrap items-center gap-x-1 gap-y-0.5 text-meta text-muted">
      <Branch {...props} />
      {text && <CopyButton value={text} label={isAnswer ? t("copyAnswer") : t("copyMessage")} />}
      {(isAnswer || (message.role === "user" && mayAsk)) && (
        <IconButton
          size="sm"
          label={isAnswer ? t("editAnswer") : t("editMessage")}
          icon={<PenLine size={14} aria-hidden />}
          disabled={busy}
          onClick={onEdit}
        />
      )}
      {isAnswer && mayAsk && at > 0 && (
        <IconButton
          size="sm"
          label={t("answerAgain")}
          icon={<RotateCw size={14} aria-hidden />}
          disabled={busy}
          onClick={() => actions.again(at)}
        />
      )}
      {facts?.ended && (
        <span className="font-medium text-warn">
          {facts.ended === "stopped" ? t("youStoppedThisAnswer") : t("thisAnswerWasInterrupted")}
        </span>
      )}
      {facts && (
        <span className="tabular ml-1 flex flex-wrap items-center gap-x-2">
          {isAlone && <span className="font-mono">{facts.model}</span>}
          {describeFacts(facts, t, tOfConversations).map((word) => (
            <span key={word}>{word}</span>
          ))}
          {facts.sandbox && <SandboxBadge />}
        </span>
      )}
    </div>
  );
}

function describeFacts(
  facts: NonNullable<TurnProps["facts"]>,
  t: Words<"playground">,
  tOfConversations: Words<"conversations">,
): string[] {
  const { total_ms: ms, input_tokens: read, output_tokens: written, finish_reason: reason, cost } = facts;
  return [
    ms !== undefined && formatDuration(ms, t.language),
    read !== undefined && written !== undefined && tokenWords(read, written, tOfConversations),
    reason !== undefined && reason !== "tool_calls" && t("endedByReason", { reason }),
    facts.sandbox ? t("costsNothing") : cost === notPriced ? t("notPriced") : cost,
  ].filter((word) => typeof word === "string");
}

function Branch({ forks, chosen, at, busy, actions }: TurnProps) {
  const t = useWords("playground");
  if (forks.length < 2 && chosen !== -1) return null;
  // A message that was written in the form belongs to no branch until it is sent.
  const number = chosen === -1 ? forks.length : chosen;
  const count = chosen === -1 ? forks.length + 1 : forks.length;
  if (count < 2) return null;
  const step = (by: number) => {
    const place = forks[number + by];
    if (place !== undefined) actions.show(place);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
    <div role="group" aria-label={t("branchesOfMessage", { number: at + 1 })} className="flex items-center">
      <IconButton
        size="sm"
        label={t("earlierBranch")}
        icon={<ChevronLeft size={14} aria-hidden />}
        aria-disabled={busy || number === 0}
        onClick={() => !busy && step(-1)}
      />
      <span className="tabular">{t("numberOfCount", { number: number + 1, count })}</span>
      <IconButton
        size="sm"
        label={t("laterBranch")}
        icon={<ChevronRight size={14} aria-hidden />}
        aria-disabled={busy || number >= count - 1}
        onClick={() => !busy && step(1)}
      />
    </div>
  );
}
