import {
  type AccountLimits,
  type AccountLimitsUpdate,
  limitsOf,
  type OwnLimits,
  setLimitsOf,
} from "#contract/accounts/limits.ts";
import type { OperatorAccount, OperatorAccountDetail } from "#contract/operator/accounts.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, SetLimits } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNotNull, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, accountStorage, accounts, limitPlans } from "#gateway/platform/database/schema.ts";
import type { Suspension } from "#gateway/platform/database/tables/accounts.ts";
import { type AuditEntry, recordAudit } from "./audit.ts";
import { setLimitColumns, setLimitsIn } from "./set-limits.ts";

/*
 * The limits of an account: what operators set for it or for its plan, and otherwise the settings of the
 * installation. They are in the cached credentials of its callers, which triggers drop, and the limit of storage
 * is read with the total that it limits.
 */

export const noLimits: AccountLimits = {
  requests_per_minute: null,
  tokens_per_minute: null,
  max_concurrency: null,
  storage_bytes: null,
  contents_days: null,
  shortest_retention_minutes: null,
  models: null,
  regions: null,
};

/** What limits an account for which operators set these limits. */
export function limitsWith(config: Config, set: SetLimits | null | undefined): AccountLimits {
  const usual = {
    ...noLimits,
    requests_per_minute: config.accountRequestsPerMinute,
    storage_bytes: config.storageBytesPerAccount,
    contents_days: config.contents?.maxDays ?? null,
    shortest_retention_minutes: config.shortestRetentionMinutes,
  };
  return limitsOf(usual, set);
}

/** What limits the caller's account, and what of it the stored files take up. */
export async function readOwnLimits(
  { config, database }: AccessContext,
  { accountId, operatorLimits }: Actor,
): Promise<OwnLimits> {
  const [row] = await database.queries
    .select({ bytes: accountStorage.bytes, plan: limitPlans.name })
    .from(accounts)
    .leftJoin(accountStorage, eq(accountStorage.accountId, accounts.id))
    .leftJoin(limitPlans, eq(limitPlans.id, accounts.planId))
    .where(eq(accounts.id, accountId));
  return {
    object: "account.limits",
    ...limitsWith(config, operatorLimits),
    plan: row?.plan ?? null,
    stored_bytes: row?.bytes ?? 0,
  };
}

/** Neither revoked nor expired. */
export const isLiveKey = sql`revoked_at is null and (expires_at is null or expires_at > now())`;

/** An account as operators see it: its state, its size and its limits. Throws `account_not_found`. */
export async function readAccountForOperator(
  { config, database: { queries } }: Pick<AccessContext, "config" | "database">,
  id: string,
): Promise<OperatorAccountDetail> {
  const [row] = await queries
    .select({
      name: accounts.name,
      createdAt: accounts.createdAt,
      limits: accounts.limits,
      plan: { id: limitPlans.id, name: limitPlans.name, limits: limitPlans.limits },
      suspension: accounts.suspension,
      dueAt: accountDeletions.dueAt,
      storedBytes: accountStorage.bytes,
      members: memberCount,
      keys: sql<number>`(select count(*)::int from api_keys where account_id = ${id} and bound_to is distinct from 'exchange' and ${isLiveKey})`,
    })
    .from(accounts)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id))
    .leftJoin(accountStorage, eq(accountStorage.accountId, accounts.id))
    .leftJoin(limitPlans, eq(limitPlans.id, accounts.planId))
    .where(eq(accounts.id, id));
  if (!row) throw noSuchAccount();
  const { name, createdAt, limits, plan, suspension, dueAt, storedBytes, members, keys } = row;
  return {
    id,
    object: "operator.account",
    name,
    created_at: createdAt.toISOString(),
    state: accountState(suspension, dueAt),
    suspension: suspension && { object: "operator.account_suspension", ...suspension },
    deletion_due_at: dueAt?.toISOString() ?? null,
    members,
    keys,
    stored_bytes: storedBytes ?? 0,
    limits: { ...noLimits, ...limits },
    plan: plan && { ...plan, limits: { ...noLimits, ...plan.limits } },
    usual_limits: limitsWith(config, null),
  };
}

/** The number of an account's members, in a query of `accounts`. */
export const memberCount = sql<number>`(select count(*)::int from members where members.account_id = ${accounts.id})`;

export function accountState(suspension: Suspension | null, dueAt: Date | null): OperatorAccount["state"] {
  if (dueAt !== null) return dueAt <= clock.date() ? "being_deleted" : "deletion_scheduled";
  return suspension ? "suspended" : "active";
}

/**
 * Sets limits of an account, or its plan. They apply in every process within a second. An account that keeps
 * contents for longer than it now may keeps them for the days that it may. Throws `account_not_found`,
 * `plan_not_found`, `invalid_parameter`.
 */
export async function setAccountLimits(
  queries: Queries,
  config: Config,
  id: string,
  { reason, plan: planId, ...asked }: AccountLimitsUpdate,
  by: Pick<AuditEntry, "actor" | "ip" | "requestId">,
): Promise<void> {
  assertContentsDays(config, asked);
  const [row] = await queries
    .select({ limits: accounts.limits, planId: accounts.planId })
    .from(accounts)
    .where(eq(accounts.id, id))
    .for("update");
  if (!row) throw noSuchAccount();
  const plans = planId === undefined ? null : { from: row.planId, to: planId };
  // Only another plan is locked: who changes the account's plan has that one, and waits for the account.
  const nameOf = async (plan: string | null) =>
    plan && (await findPlan(queries, plan, plan === row.planId ? undefined : "key share")).name;
  const [planBefore, planAfter] = plans ? [await nameOf(plans.from), await nameOf(plans.to)] : [];
  const limits = mergedLimits(row.limits, asked);
  await queries
    .update(accounts)
    .set({ limits: Object.keys(limits).length === 0 ? null : limits, ...(plans && { planId: plans.to }) })
    .where(eq(accounts.id, id));
  await shortenContents(queries, eq(accounts.id, id));
  await recordAudit(queries, {
    ...by,
    accountId: id,
    action: "account.limits_updated",
    targetId: id,
    detail: {
      reason: reason.trim(),
      before: { ...row.limits, ...(plans && { plan: planBefore }) },
      after: { ...limits, ...(plans && { plan: planAfter }) },
    },
  });
}

/** Refuses more days of contents than the installation allows. Throws `invalid_parameter`. */
export function assertContentsDays(config: Config, { contents_days: days }: SetLimits): void {
  const mostDays = config.contents?.maxDays ?? 0;
  if ((days ?? 0) > mostDays)
    throw invalidParameter(
      "contents_days",
      `Contents are kept for at most ${mostDays} days here (\`KEEP_CONTENTS\`, \`CONTENTS_MAX_DAYS\`).`,
    );
}

/** The limits after a change. A limit that is null is no longer set. */
export function mergedLimits(before: SetLimits | null, asked: SetLimits): SetLimits {
  return setLimitsOf(null, { ...before, ...asked });
}

/** Accounts that keep contents for longer than operators allow them keep them for the days that they may. */
export async function shortenContents(queries: Queries, which: SQL): Promise<void> {
  const rows = await queries
    .select({ id: accounts.id, contents: accounts.contents, ...setLimitColumns })
    .from(accounts)
    .where(and(which, isNotNull(accounts.contents)))
    .orderBy(accounts.id)
    .for("update", { of: accounts });
  for (const { id, contents, ...set } of rows) {
    const most = setLimitsIn(set).contents_days;
    if (contents && most && contents.days > most)
      await queries
        .update(accounts)
        .set({ contents: { ...contents, days: most } })
        .where(eq(accounts.id, id));
  }
}

export type PlanRow = typeof limitPlans.$inferSelect;

/** Throws `plan_not_found`. */
export async function findPlan(
  queries: Queries,
  id: string,
  lock?: "update" | "key share",
): Promise<PlanRow> {
  const found = queries.select().from(limitPlans).where(eq(limitPlans.id, id));
  const [row] = await (lock ? found.for(lock) : found);
  if (!row)
    throw new ApiError("plan_not_found", "There is no such plan. GET /v1/operator/plans lists them.", {
      param: "id",
    });
  return row;
}

export function noSuchAccount(): ApiError {
  return new ApiError(
    "account_not_found",
    "There is no such account. GET /v1/operator/accounts lists them.",
    { param: "id" },
  );
}
