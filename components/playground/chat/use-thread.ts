"use client";

import { useRef } from "react";
import { messagesOf, type Thread, threadOf } from "@/lib/conversations/thread";
import { confirmationKey } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import { usePlayground } from "../use-playground";

/** The draft as a thread, and changes of it: several may come before the first is drawn. */
export function useThread() {
  const { draft } = usePlayground();
  // While the JSON cannot be read, the last conversation that could be is shown.
  const value = useRef<JsonObject>({});
  if (draft.draft.value) value.current = draft.draft.value;
  const put = (next: JsonObject) => {
    value.current = next;
    draft.setValue(next);
  };
  const thread = threadOf(value.current.messages);
  return {
    ...thread,
    past: useSamePast(thread.past),
    isReadable: draft.draft.value !== null,
    /** The draft of this moment. */
    value,
    put,
    change(change: (thread: Thread) => Thread) {
      put({ ...value.current, messages: messagesOf(change(threadOf(value.current.messages))) });
    },
    /** It is given for one request. */
    dropConfirmation() {
      const { [confirmationKey]: _confirmed, ...rest } = value.current;
      value.current = rest;
    },
  };
}

/** The same list as long as the same messages are in it, so that what only draws them stays. */
function useSamePast(past: readonly JsonObject[]): readonly JsonObject[] {
  const kept = useRef(past);
  const now = kept.current;
  if (now.length !== past.length || now.some((message, at) => message !== past[at])) kept.current = past;
  return kept.current;
}
