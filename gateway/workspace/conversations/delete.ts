import type { Deleted } from "#contract/list.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import { findConversation } from "./find.ts";

/** Deletes a conversation; afterwards its id is unknown. Throws `conversation_not_found`. */
export async function deleteConversation(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const { name, model } = await findConversation(context, queries, accountId, id, { forUpdate: true });
    await queries.delete(conversations).where(eq(conversations.id, id));
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "conversation.deleted",
      targetId: id,
      detail: { name, model },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  return { id, object: "conversation", deleted: true };
}
