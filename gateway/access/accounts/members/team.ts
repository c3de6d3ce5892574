import { type Role, reachesRole, roles } from "#contract/accounts/constants.ts";
import { type Permission, permissionsOfRole } from "#contract/accounts/permissions.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, ne, sql } from "#gateway/platform/database/drizzle.ts";
import { members, sessions } from "#gateway/platform/database/schema.ts";
import { roleNotAllowed } from "#gateway/platform/http/not-permitted.ts";

type MemberRow = typeof members.$inferSelect;

/**
 * The members of an account, locked until the transaction ends, so that roles and rights cannot change
 * meanwhile.
 */
export interface Team {
  accountId: string;
  rows: readonly MemberRow[];
}

export async function lockTeam(queries: Queries, accountId: string): Promise<Team> {
  const rows = await queries
    .select()
    .from(members)
    .where(eq(members.accountId, accountId))
    .orderBy(asc(members.userId))
    .for("update");
  return { accountId, rows };
}

/** Throws `member_not_found`. */
export function memberOf({ rows }: Team, userId: string): MemberRow {
  const found = rows.find((row) => row.userId === userId);
  if (!found) throw new ApiError("member_not_found", "There is no such member in this account.");
  return found;
}

/**
 * Rejects giving a role, or changing somebody who has one, above the caller's own current role, which may
 * differ from the one in their credential. Throws `role_not_allowed`.
 */
export async function assertReaches(queries: Queries, team: Team, actor: Actor, role: Role): Promise<void> {
  const own = team.rows.find((row) => row.userId === actor.userId)?.role;
  if (own && may(own, "members:manage") && reachesRole(own, role)) return;
  const able = roles.filter((other) => may(other, "members:manage") && reachesRole(other, role));
  throw await roleNotAllowed(queries, team.accountId, `You may not give or take the role ${role}.`, able);
}

/**
 * Whether somebody also belongs to another account: their personal data is then not for this account to
 * change.
 */
export async function hasOtherAccounts(
  queries: Queries,
  userId: string,
  accountId: string,
): Promise<boolean> {
  const [other] = await queries
    .select({ id: members.accountId })
    .from(members)
    .where(and(eq(members.userId, userId), ne(members.accountId, accountId)))
    .limit(1);
  return other !== undefined;
}

/** Throws `last_owner` if nobody else is owner. */
export function assertAnotherOwner({ rows }: Team, userId: string): void {
  if (rows.some((row) => row.role === "owner" && row.userId !== userId)) return;
  throw new ApiError(
    "last_owner",
    "This is the last owner of the account. Make somebody else an owner first.",
  );
}

function may(role: Role, permission: Permission): boolean {
  return permissionsOfRole(role).has(permission);
}

/** When a member of the query was last signed in, in any account. */
export function lastSeenAt() {
  return sql<string | null>`(select max(coalesce(${sessions.lastSeenAt}, ${sessions.createdAt}))
    from ${sessions} where ${sessions.userId} = ${members.userId})`;
}
