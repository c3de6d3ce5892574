"use client";

import { useMemo } from "react";
import { ErrorSummary } from "../error-summary";
import { FormContext } from "../form/form-context";
import { usePlayground } from "../use-playground";
import { ChatBar } from "./chat-bar";
import { Columns } from "./columns";
import { Composer } from "./composer";
import { useChat } from "./use-chat";
import { usePictures } from "./use-pictures";
import { useStayAtEnd } from "./use-stay-at-end";

const noProblems: never[] = [];
const withdraw = () => {};

/** The conversation. It stays mounted while another tab is open, so that answers and uploads continue. */
export function ChatTab({ active }: { active: boolean }) {
  const { baseUrl, onUploading } = usePlayground();
  const context = useMemo(
    () => ({ baseUrl, problems: noProblems, disabled: false, onUploading, onUnreadable: () => withdraw }),
    [baseUrl, onUploading],
  );
  return (
    <FormContext value={context}>
      <Conversation active={active} />
    </FormContext>
  );
}

function Conversation({ active }: { active: boolean }) {
  const { check, setInputTab, summary } = usePlayground();
  const chat = useChat();
  const pictures = usePictures(chat);
  const content = useStayAtEnd(active);
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
      <div ref={content} className="min-h-[40vh]">
        <Columns chat={chat} />
      </div>
      <ErrorSummary ref={summary} problems={check.problems} onGoTo={() => setInputTab("form")} />
      {chat.notKept && (
        <p role="status" className="text-meta text-warn">
          This conversation is too long to be kept in this browser with its branches. Save it, or start a new
          one.
        </p>
      )}
      <Composer chat={chat} pictures={pictures} />
    </div>
  );
}
