import { and, eq, isNull } from "drizzle-orm";
import type { ApiKey, ApiKeyUpdate } from "#contract/account.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { apiKeys } from "#gateway/database/schema.ts";
import { usedThisMonth } from "#gateway/usage/used-this-month.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { assertWithinGrant } from "./grant.ts";
import { assertMayGrantBudget, assertMayManage, lockKeys } from "./made-keys.ts";
import { keyView } from "./view.ts";

/**
 * Changes the budget of a key, effective at once in this process and within a second in others. Throws `key_not_found`,
 * and as `assertWithinGrant`, `assertMayManage` and `assertMayGrantBudget`.
 */
export async function updateKey(
  context: Context,
  caller: Caller,
  id: string,
  input: ApiKeyUpdate,
): Promise<ApiKey> {
  const { accountId } = caller.actor;
  await context.meter.flush();
  const updated = await context.database.transaction(async (queries) => {
    await lockKeys(queries, accountId);
    const live = and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
    const [old] = await queries.select().from(apiKeys).where(live).for("update");
    if (!old) throw new ApiError("key_not_found", "There is no such key, or it was revoked.");
    assertWithinGrant(caller.actor, old, "stored");
    await assertMayManage(queries, context.config, caller.actor, old);
    await assertMayGrantBudget(queries, caller.actor, old, input.monthly_budget);
    const [row] = await queries
      .update(apiKeys)
      .set({ monthlyBudget: input.monthly_budget })
      .where(eq(apiKeys.id, id))
      .returning();
    if (!row) throw new ApiError("key_not_found", "There is no such key.");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "key.updated",
      targetId: id,
      detail: { name: row.name, monthly_budget: input.monthly_budget },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return row;
  });
  context.credentials.forget(id);
  const used = await usedThisMonth(context, [updated]);
  return keyView(updated, used.get(id));
}
