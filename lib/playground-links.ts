import type { ConversationSummary } from "#contract/conversations.ts";
import type { PresetSummary } from "#contract/presets.ts";
import { inAccount } from "./paths.ts";

/** Opens a saved conversation in the playground. */
export function conversationHref({ id, model }: Pick<ConversationSummary, "id" | "model">): string {
  return `/playground/${model}/chat-completions?from=${id}`;
}

/** Link to the playground with the input of a run: a prediction, or a call whose contents are kept. */
export function runHref({ model, apiType, id }: { model: string; apiType: string; id: string }): string {
  return `/playground/${model}/${apiType}?from=${id}`;
}

/** A link for colleagues. It names the account, for people who have several. */
export function sharedConversation(origin: string, accountId: string, id: string): string {
  return `${origin}${inAccount(accountId, `/conversations/${id}`)}`;
}

/** Link to the playground with a preset. */
export function presetHref({ id, model, api_type: apiType }: PresetSummary): string {
  return `/playground/${model}/${apiType}?from=${id}`;
}

/** A link for colleagues. It names the account, for people who have several. */
export function sharedAddress(origin: string, accountId: string, id: string): string {
  return `${origin}${inAccount(accountId, `/presets/${id}`)}`;
}
