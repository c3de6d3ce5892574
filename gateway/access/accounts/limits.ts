import {
  type AccountLimits,
  type AccountLimitsUpdate,
  limitsOf,
  type OwnLimits,
} from "#contract/accounts/limits.ts";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Actor, SetLimits } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, accountStorage, accounts } from "#gateway/platform/database/schema.ts";
import { type AuditEntry, recordAudit } from "./audit.ts";

/*
 * The limits of an account: what operators set for it, and otherwise the settings of the installation. They are
 * in the cached credentials of its callers, which a trigger drops, and the limit of storage is read with the
 * total that it limits.
 */

const none: AccountLimits = {
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
    ...none,
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
    .select()
    .from(accountStorage)
    .where(eq(accountStorage.accountId, accountId));
  return {
    object: "account.limits",
    ...limitsWith(config, operatorLimits),
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
      suspension: accounts.suspension,
      dueAt: accountDeletions.dueAt,
      storedBytes: accountStorage.bytes,
      members: sql<number>`(select count(*)::int from members where account_id = ${id})`,
      keys: sql<number>`(select count(*)::int from api_keys where account_id = ${id} and bound_to is distinct from 'exchange' and ${isLiveKey})`,
    })
    .from(accounts)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, accounts.id))
    .leftJoin(accountStorage, eq(accountStorage.accountId, accounts.id))
    .where(eq(accounts.id, id));
  if (!row) throw noSuchAccount();
  const { name, createdAt, limits, suspension, dueAt, storedBytes, members, keys } = row;
  return {
    id,
    object: "operator.account",
    name,
    created_at: createdAt.toISOString(),
    state:
      dueAt === null
        ? suspension
          ? "suspended"
          : "active"
        : dueAt <= clock.date()
          ? "being_deleted"
          : "deletion_scheduled",
    suspension: suspension && { object: "operator.account_suspension", ...suspension },
    deletion_due_at: dueAt?.toISOString() ?? null,
    members,
    keys,
    stored_bytes: storedBytes ?? 0,
    limits: { ...none, ...limits },
    usual_limits: limitsWith(config, null),
  };
}

/**
 * Sets limits of an account. They apply in every process within a second. An account that keeps contents for
 * longer than it now may keeps them for the days that it may. Throws `account_not_found`, `invalid_parameter`.
 */
export async function setAccountLimits(
  queries: Queries,
  config: Config,
  id: string,
  { reason, ...asked }: AccountLimitsUpdate,
  by: Pick<AuditEntry, "actor" | "ip" | "requestId">,
): Promise<void> {
  const mostDays = config.contents?.maxDays ?? 0;
  if ((asked.contents_days ?? 0) > mostDays)
    throw invalidParameter(
      "contents_days",
      `Contents are kept for at most ${mostDays} days here (\`KEEP_CONTENTS\`, \`CONTENTS_MAX_DAYS\`).`,
    );
  const [row] = await queries.select().from(accounts).where(eq(accounts.id, id)).for("update");
  if (!row) throw noSuchAccount();
  const { limits: before, contents } = row;
  const all = Object.entries({ ...before, ...asked }).filter(([, limit]) => limit !== null);
  const limits: SetLimits | null = all.length === 0 ? null : Object.fromEntries(all);
  const days = Math.min(contents?.days ?? 0, limits?.contents_days ?? Number.POSITIVE_INFINITY);
  await queries
    .update(accounts)
    .set({ limits, ...(contents && { contents: { ...contents, days } }) })
    .where(eq(accounts.id, id));
  await recordAudit(queries, {
    ...by,
    accountId: id,
    action: "account.limits_updated",
    targetId: id,
    detail: { reason: reason.trim(), before: before ?? {}, after: limits ?? {} },
  });
}

export function noSuchAccount(): ApiError {
  return new ApiError(
    "account_not_found",
    "There is no such account. GET /v1/operator/accounts lists them.",
    { param: "id" },
  );
}
