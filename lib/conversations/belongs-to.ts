import type { JsonObject } from "../schema-form/json.ts";
import { placesOf } from "./branches.ts";
import type { KeptConversation } from "./kept-conversation.ts";

/** Whether these messages are of this conversation: one that begins otherwise is another one. */
export function belongsTo({ branches }: KeptConversation, past: readonly JsonObject[]): boolean {
  return branches.length === 0 || past.length === 0 || placesOf(branches, past.slice(0, 1))[0] !== null;
}
