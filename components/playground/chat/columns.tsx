"use client";

import { X } from "lucide-react";
import { memo, useMemo, useRef, useState } from "react";
import { useWords } from "#words";
import { Permitted } from "@/components/team/permitted";
import { Button, IconButton } from "@/components/ui/button";
import type { Run } from "@/lib/browser/runs/run";
import { type Branches, forksOf, placesOf } from "@/lib/conversations/branches";
import { sumOfAnswers } from "@/lib/conversations/sum-of-answers";
import { turnsOf } from "@/lib/conversations/thread";
import type { JsonObject } from "@/lib/schema-form/json";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";
import { AnswerText } from "../output/answer-text.tsx";
import { FailureView } from "../output/failure-view.tsx";
import { usePlayground } from "../use-playground.ts";
import { Thinking, ToolCall, type TurnActions, TurnView } from "./turn-view.tsx";
import type { Chat, Column } from "./use-chat.ts";

/** The answers of one model, or of two models side by side. On a phone, one below the other. */
export function Columns({ chat }: { chat: Chat }) {
  const t = useWords("playground");
  const { first, second } = chat.columns;
  const [shown, setShown] = useState<Column>("first");
  if (!second) return <Lane chat={chat} lane={first} name={first.model.id} isAlone />;
  const heads = [
    { column: "first" as const, name: first.model.id },
    { column: "second" as const, name: second.modelId },
  ];
  return (
    <>
      <fieldset className="mb-3 hidden w-full gap-0.5 rounded-control border border-strong bg-sunken p-0.5 max-tablet:flex">
        <legend className="sr-only">{t("showTheAnswersOf")}</legend>
        {heads.map(({ column, name }) => (
          <button
            key={column}
            type="button"
            aria-pressed={shown === column}
            onClick={() => setShown(column)}
            className="inline-flex min-h-8 min-w-0 flex-1 items-center justify-center truncate rounded-[6px] font-mono text-table text-muted aria-pressed:bg-panel aria-pressed:text-ink pointer-coarse:min-h-11"
          >
            {name}
          </button>
        ))}
      </fieldset>
      <div className="grid min-w-0 grid-cols-1 gap-6 tablet:grid-cols-2">
        {heads.map(({ column, name }) => (
          <section
            key={column}
            aria-label={t("answersOfName", { name })}
            className={`min-w-0 ${shown === column ? "" : "max-tablet:hidden"}`}
          >
            <header className="mb-3 flex min-w-0 items-center gap-1 border-b pb-1.5">
              <h2 className="min-w-0 flex-1 truncate font-mono text-table font-medium">{name}</h2>
              {column === "second" && (
                <IconButton
                  size="sm"
                  label={t("removeName", { name })}
                  icon={<X size={14} aria-hidden />}
                  disabled={chat.running}
                  onClick={() => chat.setSecond(null)}
                />
              )}
            </header>
            {column === "second" && second.isGone ? (
              <p className="text-muted">{t("thisModelIsNoLonger")}</p>
            ) : null}
            <Lane chat={chat} lane={column === "first" ? first : second} name={name} isAlone={false} />
          </section>
        ))}
      </div>
    </>
  );
}

interface LaneProps {
  chat: Chat;
  lane: {
    column: Column;
    past: readonly JsonObject[];
    /** The run that answers the last message, or failed to answer it. */
    run: Run | null;
    /** The last run of this visit, whatever its result. */
    lastRun: Run | null;
  };
  /** Name of the model. */
  name: string;
  /** True when no other model answers beside this one. */
  isAlone: boolean;
}

/** The messages of one model. */
function Lane({ chat, lane, name, isAlone }: LaneProps) {
  const t = useWords("playground");
  const { gate } = usePlayground();
  const { column, past, run, lastRun } = lane;
  const latest = useRef(chat);
  latest.current = chat;
  // The same object for the whole life of the column, so that streaming does not render finished turns again.
  const actions = useMemo(
    () => ({
      edit: (at: number, message: JsonObject) => latest.current.edit(column, at, message),
      again: (at: number) => latest.current.again(column, at),
      show: (place: number) => latest.current.show(column, place),
      answerCall: (at: number, id: string, text: string) => latest.current.answerCall(column, at, id, text),
      sendResults: () => latest.current.sendResults(column),
    }),
    [column],
  );
  const waits = past.at(-1)?.role === "user";
  return (
    <div className={isAlone ? "mx-auto w-full max-w-[720px] min-w-0" : "min-w-0"}>
      <p role="status" className="sr-only">
        {lastRun && announcementOf(lastRun, name, t)}
      </p>
      <TurnList
        past={past}
        branches={chat.conversation.branches}
        model={name}
        isAlone={isAlone}
        busy={chat.running}
        actions={actions}
      />
      <AnswersSum branches={chat.conversation.branches} model={isAlone ? null : name} />
      {run?.state === "running" && <LiveAnswer run={run} />}
      {run?.state === "failed" && run.failure && (
        <div className="mt-4">
          <FailureView
            run={run}
            failure={run.failure}
            busy={chat.running}
            onAgain={(failed, key) => chat.retry(column, failed, key)}
            onGate={(code) => gate.open(code, name)}
          />
        </div>
      )}
      {waits && run?.state !== "running" && !run?.failure && (
        <p className="mt-4 flex flex-wrap items-center gap-3 text-muted">
          {run?.state === "stopped" ? t("stoppedBeforeAnAnswerArrived") : t("notAnsweredYet")}
          <Permitted to="operations:run">
            <Button size="sm" disabled={chat.running} onClick={() => chat.again(column, past.length)}>
              {t("answer")}
            </Button>
          </Permitted>
        </p>
      )}
    </div>
  );
}

const maxSpoken = 600;

/** One line for screen readers, which announces finished answers instead of each piece. */
function announcementOf({ state, output, failure }: Run, name: string, t: Words<"playground">): string {
  if (state === "running") return t("nameIsAnswering", { name });
  if (state === "failed") return t("noAnswer", { why: failure?.message ?? "" });
  if (state === "stopped") return t("stoppedThePartialAnswer");
  if (output?.kind !== "chat") return "";
  const calls = listText(
    t.language,
    output.toolCalls.map((call) => call.name),
    "plain",
  );
  const text = output.text.slice(0, maxSpoken);
  return calls ? t("nameSaysAndCalls", { name, text, calls }) : t("nameSays", { name, text });
}

interface TurnListProps {
  past: readonly JsonObject[];
  branches: Branches;
  /** The model that answered. */
  model: string;
  isAlone: boolean;
  busy: boolean;
  actions: TurnActions;
}

/** The messages so far. Memoised, so that typing and streaming do not render them again. */
const TurnList = memo(function TurnList(props: TurnListProps) {
  const t = useWords("playground");
  const { past, branches, model, isAlone, busy, actions } = props;
  const turns = useMemo(() => turnsOf(past), [past]);
  const places = useMemo(() => placesOf(branches, past), [branches, past]);
  if (turns.length === 0) return null;
  return (
    <ol aria-label={t("conversation")} className="flex min-w-0 flex-col gap-5">
      {turns.map(({ at, message, results }, index) => {
        // In the other model's column, this model's answers are not branches.
        const { forks, chosen } = forksOf(
          branches,
          places,
          at,
          ({ facts }) => isAlone || !facts || facts.model === model,
        );
        const place = places[at] ?? null;
        return (
          <TurnView
            key={at}
            at={at}
            message={message}
            results={results}
            facts={(place !== null && branches[place]?.facts) || null}
            forks={forks}
            chosen={chosen}
            isLast={index === turns.length - 1}
            isAlone={isAlone}
            busy={busy}
            actions={actions}
          />
        );
      })}
    </ol>
  );
});

interface AnswersSumProps {
  branches: Branches;
  /** The model that answered; null: any. */
  model: string | null;
}

/** The tokens and cost of all answers of the conversation, also of those in other branches. */
function AnswersSum({ branches, model }: AnswersSumProps) {
  const t = useWords("playground");
  const tOfConversations = useWords("conversations");
  const answers = branches.flatMap(({ facts }) =>
    facts && (model === null || facts.model === model) ? [facts] : [],
  );
  if (answers.length < 2) return null;
  return (
    <p className="tabular mt-4 flex flex-wrap gap-x-2 border-t pt-2 text-meta text-muted">
      <span>{t("allAnswersAnswers", { answers: answers.length })}</span>
      {sumOfAnswers(answers, tOfConversations).map((words) => (
        <span key={words}>{words}</span>
      ))}
    </p>
  );
}

/** The answer while it streams. */
function LiveAnswer({ run }: { run: Run }) {
  const t = useWords("playground");
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
        <span className={chat?.text ? "sr-only" : "text-meta"}>{t("answering")}</span>
      </p>
    </article>
  );
}
