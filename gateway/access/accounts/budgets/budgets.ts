import type { AccountBudgets, AccountBudgetsUpdate } from "#contract/money/credits.ts";
import { budgetRoutes } from "#contract/routes/budgets.ts";
import { checkedBudgets, checkedTaskBudget } from "#gateway/billing/budgets/check.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { audited } from "../audit.ts";
import { listCredits } from "./credits.ts";
import { readAccountBudgets } from "./read.ts";
import { installTasks } from "./tasks.ts";

/** The account's money: its budgets, the tasks that are capped, and its credit. */
export function installAccountBudgets(app: App, context: BaseContext): void {
  serve(app, context, budgetRoutes, {
    "GET /account/budgets": (request) => readAccountBudgets(context, actorOf(request)),
    "PATCH /account/budgets": (request) => updateAccountBudgets(context, request.caller, request.body),
    "GET /account/credits": (request) => listCredits(context, actorOf(request).accountId, request.query),
  });
  installTasks(app, context);
}

/**
 * Changes the account's money budgets and its cap per task. A first budget takes effect in every process within a second, later
 * changes at once. Throws `invalid_parameter`.
 */
async function updateAccountBudgets(
  context: BaseContext,
  caller: Caller,
  input: AccountBudgetsUpdate,
): Promise<AccountBudgets> {
  const { actor } = caller;
  const { accountId } = actor;
  const { currency } = context.config;
  const budgets = input.budgets === undefined ? undefined : checkedBudgets(input.budgets, currency);
  const taskBudget =
    input.task_budget === undefined ? undefined : checkedTaskBudget(input.task_budget, currency);
  await audited(context, caller, "account.budgets_updated", async (queries) => {
    await queries
      .update(accounts)
      .set({ ...(budgets !== undefined && { budgets }), ...(taskBudget !== undefined && { taskBudget }) })
      .where(eq(accounts.id, accountId));
    return {
      target: accountId,
      detail: {
        ...(budgets !== undefined && { budgets: budgets ?? [] }),
        ...(taskBudget !== undefined && { task_budget: taskBudget }),
      },
      result: null,
    };
  });
  return readAccountBudgets(context, actor);
}
