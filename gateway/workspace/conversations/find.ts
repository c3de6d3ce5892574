import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { conversations } from "#gateway/platform/database/schema.ts";

export type ConversationRow = typeof conversations.$inferSelect;

/** The account's conversation. Throws `conversation_not_found`, for another account's id too. */
export async function findConversation(
  { history }: Context,
  queries: Queries,
  accountId: string,
  id: string,
  options: { forUpdate?: boolean } = {},
): Promise<ConversationRow> {
  const query = queries
    .select()
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.accountId, accountId)));
  const [row] = await (options.forUpdate ? query.for("update") : query);
  if (!row)
    throw new ApiError(
      "conversation_not_found",
      `There is no conversation ${id}.${forgottenNote(history, "conversation", id) || " It may have been deleted."}`,
    );
  return row;
}
