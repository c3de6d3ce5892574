import type { Conversation, ConversationUpdate } from "#contract/conversations.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import { chatModels, storedContents } from "./check.ts";
import { findConversation } from "./find.ts";
import { assertMayRead } from "./gates.ts";
import { conversationView } from "./view.ts";

/**
 * Renames a conversation, or replaces its contents, as it was in this version. Throws `conversation_not_found`,
 * `conversation_changed`, and as `chatModels`, `storedContents` and `assertMayRead`.
 */
export async function updateConversation(
  context: Context,
  caller: Caller,
  id: string,
  { version, name, second_model: second, contents }: ConversationUpdate,
): Promise<Conversation> {
  const { actor } = caller;
  const { accountId } = actor;
  const stored = contents && storedContents(context, contents);
  const secondModel = second ? chatModels(context, accountId, [second])[0] : second;
  const before = await findConversation(context, context.database.queries, accountId, id);
  await assertMayRead(context, actor, { ...before, ...(secondModel && { secondModel }) });
  const row = await context.database.transaction(async (queries) => {
    const old = await findConversation(context, queries, accountId, id, { forUpdate: true });
    if (version !== old.version)
      throw new ApiError(
        "conversation_changed",
        `Somebody has changed the conversation since you read version ${version}: it has version ${old.version} now. Open it again, or save yours under another name.`,
        { param: "version" },
      );
    const [changed = old] = await queries
      .update(conversations)
      .set({
        ...(name !== undefined && { name: name.trim() }),
        ...(secondModel !== undefined && { secondModel }),
        ...(stored && { contents: stored }),
        version: old.version + 1,
        changedByKeyId: actor.kind === "key" ? actor.id : null,
        changedByUserId: actor.userId,
        updatedAt: clock.date(),
      })
      .where(eq(conversations.id, id))
      .returning();
    await recordAudit(queries, {
      accountId,
      actor,
      action: "conversation.updated",
      targetId: id,
      detail: {
        name: changed.name,
        ...(name !== undefined && { before: old.name }),
        ...(stored && { messages: stored.messages.length }),
      },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return changed;
  });
  return conversationView(context, actor, row);
}
