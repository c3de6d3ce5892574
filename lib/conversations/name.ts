import { conversationLimits } from "#contract/conversation-constants.ts";
import type { JsonObject } from "../schema-form/json.ts";
import { textOfMessage } from "../schema-form/messages.ts";

const longest = 60;

/** A first name for a conversation: how it begins. */
export function nameOf(past: readonly JsonObject[]): string {
  const first = past.find(({ role }) => role === "user");
  const text = first ? textOfMessage(first).replaceAll(/\s+/g, " ").trim() : "";
  const short = text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
  return (short || "Conversation").toWellFormed().slice(0, conversationLimits.nameCharacters);
}
