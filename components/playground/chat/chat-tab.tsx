"use client";

import { MessageSquare } from "lucide-react";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { ErrorSummary } from "../error-summary";
import { FormContext } from "../form/form-context";
import { usePlayground } from "../use-playground";
import { ChatBar } from "./chat-bar";
import { Composer } from "./composer";
import { useChat } from "./use-chat";
import { usePictures } from "./use-pictures";
import { useStayAtEnd } from "./use-stay-at-end";

/** Loaded late, because nothing of it is needed before the first message. */
const Columns = dynamic(() => import("./columns").then((module) => module.Columns), { ssr: false });

const noProblems: never[] = [];
const withdraw = () => {};

/** The conversation. It stays mounted while another tab is open, so that answers and uploads continue. */
export function ChatTab() {
  const { baseUrl, onUploading, inputTab, formUploads } = usePlayground();
  const context = useMemo(
    () => ({ baseUrl, problems: noProblems, disabled: false, onUploading, onUnreadable: () => withdraw }),
    [baseUrl, onUploading],
  );
  return (
    <FormContext value={context}>
      <Conversation active={inputTab === "chat" && formUploads === 0} />
    </FormContext>
  );
}

function Conversation({ active }: { active: boolean }) {
  const { check, setInputTab, summary } = usePlayground();
  const chat = useChat();
  const pictures = usePictures(chat);
  const { first, second } = chat.columns;
  const isBegun = first.past.length > 0 || first.run !== null;
  const content = useStayAtEnd(active && isBegun);
  if (!active) return null;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ChatBar chat={chat} />
      {chat.unreadable && (
        <p role="alert" className="rounded-panel border border-warn bg-warn-soft p-3 text-table">
          The conversation cannot continue while the JSON has an error.{" "}
          <button type="button" className="font-medium underline" onClick={() => setInputTab("json")}>
            Fix the JSON
          </button>
        </p>
      )}
      <div ref={content} className="min-h-[max(10rem,calc(100dvh-26rem))]">
        {!isBegun && <Beginning />}
        {(isBegun || second) && <Columns chat={chat} />}
      </div>
      <ErrorSummary ref={summary} problems={check.problems} onGoTo={() => setInputTab("form")} />
      {chat.notKept && (
        <p role="status" className="text-meta text-warn">
          This conversation is too long to be stored in this browser with its branches. Save the conversation,
          or start a new one.
        </p>
      )}
      <Composer chat={chat} pictures={pictures} />
    </div>
  );
}

/** Before the first message: the model's example, for people who may see it. */
function Beginning() {
  const { example, gate } = usePlayground();
  const words = "Write a message below. The answer will appear here.";
  if (example && (gate.state === "none" || gate.state === "open"))
    return (
      <figure className="mx-auto w-full max-w-[480px] min-w-0">
        {example}
        <figcaption className="mt-1 text-muted">{words}</figcaption>
      </figure>
    );
  return (
    <div className="grid min-h-40 place-items-center rounded-panel border border-dashed p-6 text-center">
      <div>
        <MessageSquare size={20} aria-hidden className="mx-auto mb-2 text-muted" />
        <p className="text-muted">{words}</p>
      </div>
    </div>
  );
}
