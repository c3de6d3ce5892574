import { and, eq, isNull } from "drizzle-orm";
import type { Deleted } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import { apiKeys } from "#gateway/database/schema.ts";
import { type Caller, recordAudit } from "../audit.ts";

/** Revokes a key; this process rejects it at once, others within a second. Throws `key_not_found`. */
export async function revokeKey(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(apiKeys)
      .set({ revokedAt: clock.date() })
      .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id, name: apiKeys.name });
    if (!row) throw new ApiError("key_not_found", "There is no such key, or it was already revoked.");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "key.revoked",
      targetId: id,
      detail: { name: row.name },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  context.credentials.forget(id);
  return { id, object: "api_key", deleted: true };
}
