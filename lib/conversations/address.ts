import type { ConversationSummary } from "#contract/conversations.ts";
import { inAccount } from "../account-path.ts";

/** The playground with a saved conversation. */
export function conversationHref({ id, model }: Pick<ConversationSummary, "id" | "model">): string {
  return `/playground/${model}/chat-completions?from=${id}`;
}

/** What a colleague opens: it names the account, for those who have several. */
export function sharedConversation(origin: string, accountId: string, id: string): string {
  return `${origin}${inAccount(accountId, `/conversations/${id}`)}`;
}
