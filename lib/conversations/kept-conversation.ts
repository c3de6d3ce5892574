import { browserStore } from "../schema-form/drafts-store.ts";
import type { JsonObject } from "../schema-form/json.ts";
import type { Branches } from "./branches.ts";

/** The state of a conversation in addition to its draft. */
export interface KeptConversation {
  branches: Branches;
  /** A second model that answers in parallel and has its own messages. */
  second: { model: string; past: readonly JsonObject[] } | null;
  /** The saved conversation that was opened. */
  saved: { id: string; name: string; version: number } | null;
}

export const newConversation: KeptConversation = { branches: [], second: null, saved: null };

/**
 * Longest conversation, as JSON, that the browser stores. A larger one is lost when the user leaves the page.
 */
const maxCharacters = 1_000_000;

/** The conversation with each operation in this browser. It is stored beside the operation's draft. */
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
    /** Stores the conversation. Returns false when the browser cannot. */
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
