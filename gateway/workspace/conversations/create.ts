import { conversationLimits } from "#contract/conversation-constants.ts";
import type { Conversation, ConversationCreate } from "#contract/conversations.ts";
import { newId } from "#contract/ids.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { count, eq } from "#gateway/platform/database/drizzle.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import { chatModels, lockConversations, storedContents } from "./check.ts";
import { assertMayRead } from "./gates.ts";
import { conversationView } from "./view.ts";

/**
 * Saves a conversation for everybody of the account. Throws as `chatModels`, `storedContents` and `assertMayRead`, and
 * `too_many_conversations`.
 */
export async function createConversation(
  context: Context,
  caller: Caller,
  create: ConversationCreate,
): Promise<Conversation> {
  const { actor } = caller;
  const { accountId } = actor;
  const { second_model: second = null } = create;
  const [model = create.model, secondModel = null] = chatModels(context, accountId, [
    create.model,
    ...(second === null ? [] : [second]),
  ]);
  const contents = storedContents(context, create.contents);
  await assertMayRead(context, actor, { model, secondModel });
  const row = await context.database.transaction(async (queries) => {
    await lockConversations(queries, accountId);
    const [saved] = await queries
      .select({ count: count() })
      .from(conversations)
      .where(eq(conversations.accountId, accountId));
    if ((saved?.count ?? 0) >= conversationLimits.perAccount)
      throw new ApiError(
        "too_many_conversations",
        `An account has at most ${conversationLimits.perAccount.toLocaleString("en")} saved conversations. Delete one first.`,
      );
    const [made] = await queries
      .insert(conversations)
      .values({
        id: newId("conversation"),
        accountId,
        keyId: actor.kind === "key" ? actor.id : null,
        userId: actor.userId,
        name: create.name.trim(),
        model,
        secondModel,
        contents,
      })
      .returning();
    if (!made) throw new ApiError("internal_error", "The conversation was not saved.");
    await recordAudit(queries, {
      accountId,
      actor,
      action: "conversation.created",
      targetId: made.id,
      detail: { name: made.name, model, messages: contents.messages.length },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return made;
  });
  return conversationView(context, actor, row);
}
