import { and, eq, isNull } from "drizzle-orm";
import type { Deleted } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { apiKeys } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { type Caller, recordAudit } from "../audit.ts";

/** Ends a key for good; it stops working within five seconds. Throws `key_not_found`. */
export async function revokeKey(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  return context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id, name: apiKeys.name });
    if (!row) throw new ApiError("key_not_found", "There is no such key, or it was revoked already.");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "key.revoked",
      targetId: id,
      detail: { name: row.name },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return { id, object: "api_key", deleted: true };
  });
}
