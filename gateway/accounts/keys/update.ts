import { and, eq, isNull } from "drizzle-orm";
import type { ApiKey, ApiKeyUpdate } from "#contract/account.ts";
import type { Context } from "#gateway/context.ts";
import { apiKeys } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { usedThisMonth } from "#gateway/usage/used-this-month.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { refuseBeyond } from "./beyond.ts";
import { keyView } from "./view.ts";

/** Changes the budget of a key; it holds within five seconds. Throws `key_not_found`, and as `refuseBeyond`. */
export async function updateKey(
  context: Context,
  caller: Caller,
  id: string,
  input: ApiKeyUpdate,
): Promise<ApiKey> {
  const { accountId } = caller.actor;
  const updated = await context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(apiKeys)
      .set({ monthlyBudget: input.monthly_budget })
      .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
      .returning();
    if (!row) throw new ApiError("key_not_found", "There is no such key, or it was revoked.");
    refuseBeyond(caller.actor, row, "stored");
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
  const used = await usedThisMonth(context, [updated]);
  return keyView(updated, used.get(id));
}
