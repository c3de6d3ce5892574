import { browserStore } from "../schema-form/drafts-store.ts";
import type { JsonObject } from "../schema-form/json.ts";
import type { Branches } from "./branches.ts";

/** The state of a conversation besides its draft. */
export interface KeptConversation {
  branches: Branches;
  /** A second model that answers in parallel, with its own messages. */
  second: { model: string; past: readonly JsonObject[] } | null;
  /** The saved conversation that was opened. */
  saved: { id: string; name: string; version: number } | null;
}

export const newConversation: KeptConversation = { branches: [], second: null, saved: null };

/** A larger conversation stays in the page, but is lost when the page is left. */
const maxCharacters = 1_000_000;

/** The conversation with each operation in this browser, stored beside its draft. */
export function conversationStore(accountId: string, operationId: string) {
  const key = `gatehouse:conversation:${accountId}:${operationId}`;
  const viewKey = `gatehouse:playground-view:${accountId}`;
  const store = browserStore();
  return {
    load(): KeptConversation | null {
      try {
        const kept: unknown = JSON.parse(store?.getItem(key) ?? "null");
        return kept === null ? null : { ...newConversation, ...(kept as Partial<KeptConversation>) };
      } catch {
        return null;
      }
    },
    /** False if the browser could not store it. */
    save(conversation: KeptConversation): boolean {
      const text = JSON.stringify(conversation);
      if (text.length > maxCharacters) return false;
      try {
        store?.setItem(key, text);
        return store !== null;
      } catch {
        return false;
      }
    },
    /** Whether the form was last used instead of the chat. */
    prefersForm: () => attempt(() => store?.getItem(viewKey)) === "form",
    rememberView: (view: "chat" | "form") => void attempt(() => store?.setItem(viewKey, view)),
  };
}

function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
