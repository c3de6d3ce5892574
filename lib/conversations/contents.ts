import type { Conversation, ConversationContents } from "#contract/conversations.ts";
import { storable } from "../schema-form/draft.ts";
import type { JsonObject } from "../schema-form/json.ts";
import { textOfMessage } from "../schema-form/messages.ts";
import { pathTo, placesOf, withPath } from "./branches.ts";
import type { KeptConversation } from "./kept-conversation.ts";
import { emptyMessage, messagesOf, threadOf } from "./thread.ts";

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
