import type { AccountLimitsUpdate } from "#contract/accounts/limits.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted, type PageQuery } from "#contract/list.ts";
import {
  type CreditAdded,
  type CreditCreate,
  type OperatorCreditList,
  operatorCreditRoutes,
} from "#contract/money/budgets.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import {
  type OperatorAccountDetail,
  type OperatorAccountList,
  type OperatorAccountQuery,
  operatorAccountRoutes,
} from "#contract/operator/accounts.ts";
import { type LimitPlan, type LimitPlanUpdate, operatorPlanRoutes } from "#contract/operator/plans.ts";
import { audited, byCaller, recordAudit } from "#gateway/access/accounts/audit.ts";
import {
  creditView,
  listCredits,
  prepaidBy,
  prepaidOf,
  selectCredits,
} from "#gateway/access/accounts/budgets/budgets.ts";
import { assertModelsExist } from "#gateway/access/accounts/keys/create.ts";
import {
  accountState,
  memberCount,
  noSuchAccount,
  readAccountForOperator,
  setAccountLimits,
} from "#gateway/access/accounts/limits.ts";
import { createPlan, deletePlan, listPlans, updatePlan } from "#gateway/access/accounts/plans.ts";
import { readTotal } from "#gateway/billing/budgets/state.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray, or, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { accountCredits, accountDeletions, accounts, limitPlans } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";

/** The accounts of the installation: state, limits and plans, and the credit of prepaid accounts. */
export function installOperatorAccounts(app: App, context: ModelsContext): void {
  const { database, config, catalog } = context;
  serve(app, context, operatorAccountRoutes, {
    "GET /operator/accounts": (request) => listAccounts(context.database.queries, request.query),
    "GET /operator/accounts/{id}": ({ params }) => readAccountForOperator(context, params.id),
    "PATCH /operator/accounts/{id}/limits": ({ caller, params, body }) =>
      updateLimits(context, caller, params.id, body),
  });
  serve(app, context, operatorPlanRoutes, {
    "GET /operator/plans": () => listPlans(database.queries),
    "POST /operator/plans": ({ caller, body }) => {
      assertModelsExist(ofAll(catalog), { models: body.models ?? null }, "");
      return audited(context, caller, "plan.created", async (queries) => {
        const plan = await createPlan(queries, config, body);
        return { target: plan.id, detail: body, result: plan };
      });
    },
    "PATCH /operator/plans/{id}": ({ caller, params, body }) => changePlan(context, caller, params.id, body),
    "DELETE /operator/plans/{id}": ({ caller, params: { id } }) =>
      audited(context, caller, "plan.deleted", async (queries) => {
        const name = await deletePlan(queries, id);
        return { target: id, detail: { name }, result: deleted("operator.plan", id) };
      }),
  });
  serve(app, context, operatorCreditRoutes, {
    "GET /operator/accounts/{id}/credits": (request) =>
      listAccountCredits(context, request.params.id, request.query),
    "POST /operator/accounts/{id}/credits": ({ caller, params, body }) =>
      addCredit(context, caller, params.id, body),
    "DELETE /operator/accounts/{id}/credits": (request) =>
      endPrepayment(context, request.caller, request.params.id),
  });
}

/** The most accounts that a search returns. A longer search text finds the others. */
const shownAccounts = 20;

/** The accounts whose names contain `q`, or those with these ids. */
async function listAccounts(
  queries: Queries,
  { q, ids, plan_id: planId }: OperatorAccountQuery,
): Promise<OperatorAccountList> {
  const named = ids?.split(",").filter(Boolean);
  const limit = named ? named.length : shownAccounts;
  const rows = await queries
    .select({
      ...{ id: accounts.id, name: accounts.name, createdAt: accounts.createdAt },
      ...{ suspension: accounts.suspension, dueAt: accountDeletions.dueAt },
      members: memberCount,
      plan: { id: limitPlans.id, name: limitPlans.name },
    })
    .from(accounts)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id))
    .leftJoin(limitPlans, eq(limitPlans.id, accounts.planId))
    .where(
      and(
        named ? inArray(accounts.id, named) : matching(q?.trim() ?? ""),
        planId === undefined ? undefined : eq(accounts.planId, planId),
      ),
    )
    .orderBy(asc(sql`lower(${accounts.name})`), asc(accounts.id))
    .limit(limit + 1);
  return {
    object: "list",
    data: rows.slice(0, limit).map(({ suspension, dueAt, createdAt, ...row }) => ({
      ...row,
      object: "operator.account" as const,
      state: accountState(suspension, dueAt),
      created_at: createdAt.toISOString(),
    })),
    has_more: rows.length > limit,
  };
}

function matching(q: string): SQL | undefined {
  if (q === "") return undefined;
  return or(sql`position(lower(${q}) in lower(${accounts.name})) > 0`, sql`${accounts.id} = ${q}`);
}

/** Sets limits of one account. Throws as `assertModelsExist` and `setAccountLimits`. */
async function updateLimits(
  context: ModelsContext,
  caller: Caller,
  accountId: string,
  input: AccountLimitsUpdate,
): Promise<OperatorAccountDetail> {
  const { database, config, catalog, credentials } = context;
  assertModelsExist(catalog, { models: input.models ?? null }, accountId);
  await database.transaction((queries) =>
    setAccountLimits(queries, config, accountId, input, byCaller(caller)),
  );
  credentials.forget(accountId);
  return readAccountForOperator(context, accountId);
}

/** A plan may also name models that only some accounts see. */
function ofAll(catalog: ModelsContext["catalog"]): { has(id: string): boolean } {
  return { has: (id) => catalog.has(id, everyone) };
}

/** Changes a plan, for all its accounts. Throws as `assertModelsExist` and `updatePlan`. */
async function changePlan(
  context: ModelsContext,
  caller: Caller,
  id: string,
  input: LimitPlanUpdate,
): Promise<LimitPlan> {
  const { config, catalog } = context;
  assertModelsExist(ofAll(catalog), { models: input.models ?? null }, "");
  return audited(context, caller, "plan.updated", async (queries) => {
    const plan = await updatePlan(queries, config, id, input, byCaller(caller));
    return { target: id, detail: input, result: plan };
  });
}

/** The largest credit that an account can have. */
const largestCredit = decimalOf("1000000000000");

/** An account's credits and its balance. Throws `account_not_found`. */
async function listAccountCredits(
  context: ModelsContext,
  accountId: string,
  query: PageQuery,
): Promise<OperatorCreditList> {
  const { database, config, meter } = context;
  await meter.flush();
  const credit = await creditOf(database.queries, accountId);
  const list = await listCredits(context, accountId, query);
  return { ...list, prepaid: await prepaidOf(database.queries, accountId, credit, config.currency) };
}

/**
 * Adds credit to an account, or removes some. The first credit makes it prepaid: earlier spending is not
 * charged to the credit. Throws `account_not_found`, `invalid_parameter`.
 */
async function addCredit(
  { database, config, meter }: ModelsContext,
  caller: Caller,
  accountId: string,
  input: CreditCreate,
): Promise<CreditAdded> {
  const { currency } = config;
  if (input.currency !== undefined && input.currency !== currency)
    throw invalidParameter("currency", `currency must be ${currency}, the currency of this installation.`);
  const value = decimalOf(input.amount);
  if (value === 0n)
    throw invalidParameter("amount", "The amount must not be 0. A negative amount removes credit.");
  await meter.flush();
  return database.transaction(async (queries) => {
    const before = await creditOf(queries, accountId, true);
    const total = await readTotal(queries, accountId);
    const credit = decimalOf(before ?? total.spent) + value;
    if (credit > largestCredit || credit < -largestCredit)
      throw invalidParameter(
        "amount",
        `An account can have at most ${decimalText(largestCredit)} of credit.`,
      );
    await queries
      .update(accounts)
      .set({ credit: decimalText(credit) })
      .where(eq(accounts.id, accountId));
    // The account is locked, so no other credit changes the balance before this row is written.
    const prepaid = prepaidBy(decimalText(credit), total, currency);
    const id = newId("credit");
    await queries.insert(accountCredits).values({
      id,
      accountId,
      amount: decimalText(value),
      note: input.note.trim(),
      addedBy: caller.actor.id,
      balanceAfter: prepaid.balance,
    });
    const [row] = await selectCredits(queries).where(eq(accountCredits.id, id));
    if (!row) throw new Error("the credit was not inserted");
    await recordAudit(queries, {
      ...byCaller(caller),
      accountId,
      action: "account.credit_added",
      targetId: row.id,
      detail: { amount: row.amount, currency, note: row.note },
    });
    return { ...creditView(row, currency), prepaid };
  });
}

/**
 * Ends the prepayment: the remaining credit lapses, and only budgets limit the account. Throws
 * `account_not_found`.
 */
async function endPrepayment(
  { database }: ModelsContext,
  caller: Caller,
  accountId: string,
): Promise<Deleted> {
  await database.transaction(async (queries) => {
    const credit = await creditOf(queries, accountId, true);
    if (credit === null) return;
    await queries.update(accounts).set({ credit: null }).where(eq(accounts.id, accountId));
    const ended = { action: "account.prepayment_ended", targetId: accountId } as const;
    await recordAudit(queries, { ...byCaller(caller), accountId, ...ended });
  });
  return deleted("account.credits", accountId);
}

async function creditOf(queries: Queries, accountId: string, isLocked = false): Promise<string | null> {
  const { rows } = await queries.execute<{ credit: string | null }>(
    sql`select credit from ${accounts} where id = ${accountId} ${isLocked ? sql`for no key update` : sql``}`,
  );
  const [row] = rows;
  if (!row) throw noSuchAccount();
  return row.credit;
}
