import type { Conversation, ConversationContents } from "#contract/conversations.ts";
import { storable, tabStore } from "../schema-form/draft.ts";
import type { JsonObject } from "../schema-form/json.ts";
import { textOfMessage } from "../schema-form/messages.ts";
import { type Branches, pathTo, placesOf, withPath } from "./branches.ts";
import { emptyMessage, messagesOf, threadOf } from "./thread.ts";

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

/** The conversation with each operation in this tab. It is stored beside the operation's draft. */
export function conversationStore(accountId: string, operationId: string) {
  const key = `gatehouse:conversation:${accountId}:${operationId}`;
  const viewKey = `gatehouse:playground-view:${accountId}`;
  const store = tabStore();
  return {
    load(): KeptConversation | null {
      try {
        const kept: unknown = JSON.parse(store?.getItem(key) || "null");
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

/** The saved part of a conversation: all messages except the one that the user is writing. */
export function contentsOf(draft: JsonObject, { branches, second }: KeptConversation): ConversationContents {
  const { messages, model: _model, ...settings } = storable(draft);
  const { system, past } = threadOf(messages);
  const withFirst = withPath(branches, past);
  const all = second ? withPath(withFirst, second.past) : withFirst;
  return {
    system: system && textOfMessage(system),
    settings,
    messages: [...all],
    current: placesOf(all, past).at(-1) ?? null,
    second_current: second ? (placesOf(all, second.past).at(-1) ?? null) : null,
  };
}

/** A saved conversation in the playground's form. Null if the caller may not read its contents. */
export function openedConversation(
  conversation: Conversation,
): { input: JsonObject; kept: KeptConversation } | null {
  const { contents, id, name, version, second_model: secondModel } = conversation;
  if (!contents) return null;
  const { system, settings, messages: branches, current, second_current: secondCurrent } = contents;
  const thread = {
    system: system === null ? null : { role: "system", content: system },
    past: pathTo(branches, current),
    next: emptyMessage,
  };
  return {
    input: { messages: messagesOf(thread), ...settings },
    kept: {
      branches,
      second: secondModel === null ? null : { model: secondModel, past: pathTo(branches, secondCurrent) },
      saved: { id, name, version },
    },
  };
}
