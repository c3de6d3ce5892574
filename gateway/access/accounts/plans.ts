import { newId } from "#contract/ids.ts";
import {
  type LimitPlan,
  type LimitPlanCreate,
  type LimitPlanList,
  type LimitPlanUpdate,
  maxPlans,
} from "#contract/operator/plans.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { lockName } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { asc, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, limitPlans } from "#gateway/platform/database/schema.ts";
import { type AuditEntry, recordAudits } from "./audit.ts";
import {
  assertContentsDays,
  findPlan,
  mergedLimits,
  noLimits,
  type PlanRow,
  shortenContents,
} from "./limits.ts";

/*
 * Plans: limits under a name. Each account has one or none. A trigger drops the cached credentials when a plan
 * changes, as for the limits of an account.
 */

export async function listPlans(queries: Queries): Promise<LimitPlanList> {
  const rows = await queries
    .select()
    .from(limitPlans)
    .orderBy(asc(sql`lower(${limitPlans.name})`));
  const counts = await queries
    .select({ id: accounts.planId, accounts: sql<number>`count(*)::int` })
    .from(accounts)
    .groupBy(accounts.planId);
  const accountsOf = new Map(counts.map((row) => [row.id, row.accounts]));
  return { object: "list", data: rows.map((row) => viewOf(row, accountsOf.get(row.id) ?? 0)) };
}

function viewOf({ id, name, limits, createdAt }: PlanRow, accountCount: number): LimitPlan {
  return {
    id,
    object: "operator.plan",
    name,
    limits: { ...noLimits, ...limits },
    accounts: accountCount,
    created_at: createdAt.toISOString(),
  };
}

/** Throws `plan_exists`, `too_many_plans`, `invalid_parameter`. */
export async function createPlan(
  queries: Queries,
  config: Config,
  { name, ...limits }: LimitPlanCreate,
): Promise<LimitPlan> {
  assertContentsDays(config, limits);
  await assertNameIsFree(queries, name, null);
  if ((await queries.$count(limitPlans)) >= maxPlans)
    throw new ApiError("too_many_plans", `There are ${maxPlans} plans already. Delete one first.`);
  const [row] = await queries
    .insert(limitPlans)
    .values({ id: newId("plan"), name: name.trim(), limits: mergedLimits(null, limits) })
    .returning();
  if (!row) throw new Error("the plan was not inserted");
  return viewOf(row, 0);
}

/** At most this many audit rows are written by one statement. */
const auditsAtOnce = 1_000;

/**
 * Changes a plan in the caller's transaction, with an audit row in each of its accounts. It applies in every
 * process within a second. Throws `plan_not_found`, `plan_exists`, `invalid_parameter`.
 */
export async function updatePlan(
  queries: Queries,
  config: Config,
  id: string,
  { name: newName, reason, ...asked }: LimitPlanUpdate,
  by: Pick<AuditEntry, "actor" | "ip" | "requestId">,
): Promise<LimitPlan> {
  assertContentsDays(config, asked);
  if (newName !== undefined) await assertNameIsFree(queries, newName, id);
  const before = await findPlan(queries, id, "update");
  const name = newName?.trim() ?? before.name;
  const limits = mergedLimits(before.limits, asked);
  const [row] = await queries
    .update(limitPlans)
    .set({ name, limits })
    .where(eq(limitPlans.id, id))
    .returning();
  if (!row) throw new Error("the plan was not updated");
  const having = eq(accounts.planId, id);
  await shortenContents(queries, having);
  const its = await queries.select({ id: accounts.id }).from(accounts).where(having);
  const detail = {
    reason: reason.trim(),
    plan: name,
    before: before.limits,
    after: limits,
  };
  for (let from = 0; from < its.length; from += auditsAtOnce)
    await recordAudits(
      queries,
      its.slice(from, from + auditsAtOnce).map((account) => ({
        ...{ ...by, accountId: account.id, action: "account.limits_updated", targetId: account.id },
        detail,
      })),
    );
  return viewOf(row, its.length);
}

/** How many accounts a refusal names. */
const namedAccounts = 3;

/** Returns the name of the deleted plan. Throws `plan_not_found`, and `plan_in_use` while an account has it. */
export async function deletePlan(queries: Queries, id: string): Promise<string> {
  const { name } = await findPlan(queries, id, "update");
  const its = await queries
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(eq(accounts.planId, id))
    .orderBy(asc(sql`lower(${accounts.name})`), asc(accounts.id));
  if (its.length > 0) {
    const named = its.slice(0, namedAccounts).map((account) => `${account.name} (${account.id})`);
    const more = its.length - named.length;
    throw new ApiError(
      "plan_in_use",
      `Accounts have the plan ${name}: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}. Give them another plan first.`,
    );
  }
  await queries.delete(limitPlans).where(eq(limitPlans.id, id));
  return name;
}

/** Also serialises those who make plans. Throws `plan_exists`. */
async function assertNameIsFree(queries: Queries, name: string, id: string | null): Promise<void> {
  await lockName(queries, "limit plans");
  const same = await planNamed(queries, name);
  if (same && same.id !== id)
    throw new ApiError("plan_exists", `There is already a plan ${same.name}.`, { param: "name" });
}

/** The plan with this name, in any case of letters. */
export async function planNamed(queries: Queries, name: string): Promise<PlanRow | null> {
  const [row] = await queries
    .select()
    .from(limitPlans)
    .where(eq(sql`lower(${limitPlans.name})`, sql`lower(${name.trim()})`));
  return row ?? null;
}
