import type { AccountBudgets, Prepaid } from "#contract/money/credits.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import { type Balance, readBudgetStates, readTotal } from "#gateway/billing/budgets/state.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";

/**
 * The account's money budgets, and its prepaid balance if the caller is allowed to see the account's usage.
 */
export async function readAccountBudgets(
  { database, config, meter }: BaseContext,
  { accountId, permissions }: Pick<Actor, "accountId" | "permissions">,
): Promise<AccountBudgets> {
  await meter.flush();
  const { queries } = database;
  const [row] = await queries
    .select({ budgets: accounts.budgets, taskBudget: accounts.taskBudget, credit: accounts.credit })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw new ApiError("account_not_found", "There is no such account.");
  const states = await readBudgetStates(queries, [{ holder: accountId, budgets: row.budgets }]);
  return {
    object: "account.budgets",
    budgets: states.get(accountId) ?? [],
    task_budget: row.taskBudget,
    prepaid: permissions.has("usage:read")
      ? await prepaidOf(queries, accountId, row.credit, config.currency)
      : null,
    currency: config.currency,
  };
}

/** The account's remaining credit; null if it is not prepaid. */
export async function prepaidOf(
  queries: Queries,
  accountId: string,
  credit: string | null,
  currency: string,
): Promise<Prepaid | null> {
  return credit === null ? null : prepaidBy(credit, await readTotal(queries, accountId), currency);
}

export function prepaidBy(credit: string, { spent, reserved }: Balance, currency: string): Prepaid {
  return { balance: decimalText(decimalOf(credit) - decimalOf(spent)), reserved, currency };
}
