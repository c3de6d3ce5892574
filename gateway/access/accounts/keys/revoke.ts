import type { Deleted } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { lockKey } from "./whose.ts";

/** Revokes a key; this process rejects it at once, others within a second. Throws `key_not_found`. */
export async function revokeKey(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const { name } = await lockKey(queries, caller.actor, id);
    await queries.update(apiKeys).set({ revokedAt: clock.date() }).where(eq(apiKeys.id, id));
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "key.revoked",
      targetId: id,
      detail: { name },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  context.credentials.forget(id);
  return { id, object: "api_key", deleted: true };
}
