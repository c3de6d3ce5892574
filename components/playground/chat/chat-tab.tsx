"use client";

import { MessageSquare } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useMemo, useRef } from "react";
import { useWords } from "#words";
import { useNamedPage } from "@/components/shell/use-named-page";
import { FormContext } from "../form/form-context.tsx";
import { usePlayground } from "../use-playground.ts";
import { ErrorSummary } from "../use-problems.tsx";
import { ChatBar } from "./chat-bar.tsx";
import { Composer, usePictures } from "./composer.tsx";
import { useChat } from "./use-chat.ts";

/** Loaded late, because nothing of it is needed before the first message. */
const Columns = dynamic(() => import("./columns.tsx").then((module) => module.Columns), { ssr: false });

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

/** Within this distance of the page's end, the reader counts as being at the end. */
const nearPx = 120;

function Conversation({ active }: { active: boolean }) {
  const t = useWords("playground");
  const { check, setInputTab, summary } = usePlayground();
  const chat = useChat();
  useNamedPage(chat.saved?.name ?? null);
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
          {t("theConversationCannotContinue")}{" "}
          <button type="button" className="font-medium underline" onClick={() => setInputTab("json")}>
            {t("fixTheJson")}
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
          {t("thisConversationIsTooLong")}
        </p>
      )}
      <Composer chat={chat} pictures={pictures} />
    </div>
  );
}

/**
 * Keeps the end of the page in view while the page grows, unless the reader scrolls up. While the conversation
 * fits the room that it has anyway, nothing scrolls, so that a short answer does not hide the page's title.
 */
function useStayAtEnd(active: boolean) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = content.current;
    if (!active || !element) return;
    let isAtEnd = true;
    const page = document.documentElement;
    const onScroll = () => {
      isAtEnd = page.scrollHeight - window.scrollY - window.innerHeight < nearPx;
    };
    const growth = new ResizeObserver(() => {
      const endsAt = element.lastElementChild?.getBoundingClientRect().bottom ?? 0;
      const fits = endsAt < element.getBoundingClientRect().bottom;
      if (isAtEnd && !fits) window.scrollTo({ top: page.scrollHeight });
    });
    growth.observe(element);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      growth.disconnect();
      window.removeEventListener("scroll", onScroll);
    };
  }, [active]);
  return content;
}

/** Before the first message: the model's example, for people who may see it. */
function Beginning() {
  const t = useWords("playground");
  const { example, gate } = usePlayground();
  const words = t("writeAMessageBelow");
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
