"use client";

import { MessageSquare } from "lucide-react";
import { useMemo, useRef } from "react";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import type { Run } from "@/lib/browser/runs/run";
import type { JsonObject } from "@/lib/schema-form/json";
import { FailureView } from "../output/failure-view";
import { usePlayground } from "../use-playground";
import { LiveAnswer } from "./live-answer";
import { TurnList } from "./turn-list";
import type { Chat, Column } from "./use-chat";

interface LaneProps {
  chat: Chat;
  lane: {
    column: Column;
    past: readonly JsonObject[];
    /** What answers the last message, or could not. */
    run: Run | null;
    /** The last run of this visit, whatever came of it. */
    lastRun: Run | null;
  };
  /** The model's. */
  name: string;
  /** No other model answers beside it. */
  isAlone: boolean;
}

/** What one model was asked and answered. */
export function Lane({ chat, lane, name, isAlone }: LaneProps) {
  const { gate } = usePlayground();
  const { column, past, run, lastRun } = lane;
  const latest = useRef(chat);
  latest.current = chat;
  // The same for as long as the lane is there, so that a new word draws no turn again.
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
        {lastRun && spoken(lastRun, name)}
      </p>
      {past.length === 0 && <Empty />}
      <TurnList
        past={past}
        branches={chat.conversation.branches}
        model={name}
        isAlone={isAlone}
        busy={chat.running}
        actions={actions}
      />
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
          {run?.state === "stopped" ? "Stopped before an answer came." : "Not answered yet."}
          <Permitted to="operations:run">
            <Button size="sm" disabled={chat.running} onClick={() => chat.again(column, past.length)}>
              Answer
            </Button>
          </Permitted>
        </p>
      )}
    </div>
  );
}

function Empty() {
  return (
    <div className="grid min-h-40 place-items-center rounded-panel border border-dashed p-6 text-center">
      <div>
        <MessageSquare size={20} aria-hidden className="mx-auto mb-2 text-muted" />
        <p className="text-muted">Write a message below. The answer will appear here.</p>
      </div>
    </div>
  );
}

const mostSpoken = 600;

/** One polite line for screen readers: finished answers, not their pieces. */
function spoken({ state, output, failure }: Run, name: string): string {
  if (state === "running") return `${name} is answering.`;
  if (state === "failed") return `No answer. ${failure?.message ?? ""}`;
  if (state === "stopped") return "Stopped. What came is kept.";
  if (output?.kind !== "chat") return "";
  const calls = output.toolCalls.map((call) => call.name).join(", ");
  return `${name}: ${output.text.slice(0, mostSpoken)}${calls && ` Calls ${calls}.`}`;
}
