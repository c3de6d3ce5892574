import type { ApiKey, ApiKeyUpdate } from "#contract/accounts/keys.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import { usedThisMonth } from "#gateway/billing/usage/used-this-month.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { apiKeys } from "#gateway/platform/database/schema.ts";
import { assertMayAnswer } from "../attestations/answering.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { assertWithinGrant } from "./grant.ts";
import { assertMayGrantBudget, assertMayManage, lockKeys } from "./made-keys.ts";
import { originsOf } from "./origins.ts";
import { keyViews } from "./view.ts";
import { lockKey } from "./whose.ts";

/**
 * Changes the budgets of a key, its origins or who answers for it, effective at once in this process and within a second in others. Throws `key_not_found`,
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
    const old = await lockKey(queries, caller.actor, id);
    assertWithinGrant(caller.actor, old, "stored");
    await assertMayManage(queries, context.config, caller.actor, old);
    const { monthly_budget: monthlyBudget, answered_by: answeredBy } = input;
    const allowedOrigins = input.allowed_origins === undefined ? undefined : originsOf(input.allowed_origins);
    if (allowedOrigins !== undefined) assertWithinGrant(caller.actor, { ...old, allowedOrigins }, "body");
    const budgets =
      input.budgets === undefined ? undefined : checkedBudgets(input.budgets, context.config.currency);
    await assertMayGrantBudget(queries, caller.actor, old, {
      ...(monthlyBudget !== undefined && { monthlyBudget }),
      ...(budgets !== undefined && { budgets }),
    });
    if (answeredBy !== undefined) await assertMayAnswer(queries, caller.actor, old, answeredBy);
    const [row] = await queries
      .update(apiKeys)
      .set({
        ...(monthlyBudget !== undefined && { monthlyBudget }),
        ...(budgets !== undefined && { budgets }),
        ...(answeredBy !== undefined && { answeredBy }),
        ...(allowedOrigins !== undefined && { allowedOrigins }),
      })
      .where(eq(apiKeys.id, id))
      .returning();
    if (!row) throw new ApiError("key_not_found", "There is no such key.");
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "key.updated",
      targetId: id,
      detail: { name: row.name, ...input },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return row;
  });
  context.credentials.forget(id);
  const used = await usedThisMonth(context, [updated]);
  const [view] = await keyViews(context.database.queries, [updated], used);
  return view as ApiKey;
}
