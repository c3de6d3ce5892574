import type { AccountBudgets, AccountBudgetsUpdate } from "#contract/money/credits.ts";
import { checkedBudgets } from "#gateway/billing/budgets/check.ts";
import type { Context } from "#gateway/context.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { readAccountBudgets } from "./read.ts";

/**
 * Changes the account's budgets in money. A first one holds in every process within a second, a change at once. Throws
 * `invalid_parameter`.
 */
export async function updateAccountBudgets(
  context: Context,
  { actor, ip, requestId }: Caller,
  input: AccountBudgetsUpdate,
): Promise<AccountBudgets> {
  const { accountId } = actor;
  const budgets = checkedBudgets(input.budgets, context.config.currency);
  await context.database.transaction(async (queries) => {
    await queries.update(accounts).set({ budgets }).where(eq(accounts.id, accountId));
    await recordAudit(queries, {
      accountId,
      actor,
      action: "account.budgets_updated",
      targetId: accountId,
      detail: { budgets: budgets ?? [] },
      ip,
      requestId,
    });
  });
  return readAccountBudgets(context, actor);
}
