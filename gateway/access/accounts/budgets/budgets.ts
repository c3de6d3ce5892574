import type { List, PageQuery } from "#contract/list.ts";
import {
  type AccountBudgets,
  type AccountBudgetsUpdate,
  budgetRoutes,
  type Credit,
  type Prepaid,
} from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { checkedBudgets, checkedTaskBudget } from "#gateway/billing/budgets/check.ts";
import { type Balance, readBudgetStates, readTotal } from "#gateway/billing/budgets/state.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, getTableColumns, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { accountCredits, accounts, apiKeys, users } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { audited } from "../audit.ts";
import { assertModelsExist } from "../keys/create.ts";
import { tokenRatesIn, tokenRatesView } from "../token-rates.ts";
import { installTasks } from "./tasks.ts";

type ListedCredit = typeof accountCredits.$inferSelect & { addedByName: string | null };

/** The account's money: its budgets, the tasks that are capped, and its credit. */
export function installAccountBudgets(app: App, context: AccessContext): void {
  serve(app, context, budgetRoutes, {
    "GET /account/budgets": ({ caller }) => readAccountBudgets(context, caller.actor),
    "PATCH /account/budgets": (request) => updateAccountBudgets(context, request.caller, request.body),
    "GET /account/credits": ({ caller, query }) => listCredits(context, caller.actor.accountId, query),
  });
  installTasks(app, context);
}

/**
 * The account's money budgets, and its prepaid balance if the caller is allowed to see the account's usage.
 */
async function readAccountBudgets(
  { database, config, meter }: AccessContext,
  { accountId, permissions }: Pick<Actor, "accountId" | "permissions">,
): Promise<AccountBudgets> {
  await meter.flush();
  const { queries } = database;
  const [row] = await queries.select().from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw new ApiError("account_not_found", "There is no such account.");
  const states = await readBudgetStates(queries, [{ holder: accountId, budgets: row.budgets }]);
  return {
    object: "account.budgets",
    ...tokenRatesView(row),
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

/** Credit that operators added to the account, newest first. */
export function listCredits(
  { database, config }: AccessContext,
  accountId: string,
  query: PageQuery,
): Promise<List<Credit>> {
  const page = keyset("credit", accountCredits.id, query, [eq(accountCredits.accountId, accountId)]);
  return readPage(database.queries, page, selectCredits(database.queries), (rows) =>
    rows.map((row) => creditView(row, config.currency)),
  );
}

/** Credits with the names of the operators who added them. */
export function selectCredits(queries: Queries) {
  return queries
    .select({
      ...getTableColumns(accountCredits),
      addedByName: sql<string | null>`coalesce(${users.name}, ${apiKeys.name})`,
    })
    .from(accountCredits)
    .leftJoin(users, eq(users.id, accountCredits.addedBy))
    .leftJoin(apiKeys, eq(apiKeys.id, accountCredits.addedBy))
    .$dynamic();
}

export function creditView(row: ListedCredit, currency: string): Credit {
  return {
    id: row.id,
    object: "credit",
    amount: row.amount,
    currency,
    note: row.note,
    added_by: row.addedBy === null ? null : { id: row.addedBy, name: row.addedByName },
    balance_after: row.balanceAfter,
    created_at: row.createdAt.toISOString(),
  };
}

/**
 * Changes the account's money budgets, its cap per task and its tokens per minute. A first budget, and tokens
 * per minute, take effect in every process within a second, other changes at once. Throws `invalid_parameter`.
 */
async function updateAccountBudgets(
  context: AccessContext,
  caller: Caller,
  input: AccountBudgetsUpdate,
): Promise<AccountBudgets> {
  const { actor } = caller;
  const { accountId } = actor;
  const { currency } = context.config;
  assertModelsExist(context.catalog, input, accountId);
  const budgets = input.budgets === undefined ? undefined : checkedBudgets(input.budgets, currency);
  const taskBudget =
    input.task_budget === undefined ? undefined : checkedTaskBudget(input.task_budget, currency);
  await audited(context, caller, "account.budgets_updated", async (queries) => {
    await queries
      .update(accounts)
      .set({
        ...tokenRatesIn(input),
        ...(budgets !== undefined && { budgets }),
        ...(taskBudget !== undefined && { taskBudget }),
      })
      .where(eq(accounts.id, accountId));
    return {
      target: accountId,
      detail: {
        ...input,
        ...(budgets !== undefined && { budgets: budgets ?? [] }),
        ...(taskBudget !== undefined && { task_budget: taskBudget }),
      },
      result: null,
    };
  });
  return readAccountBudgets(context, actor);
}
