import type { Role } from "#contract/accounts/constants.ts";
import { type Permission, permissionsOfScopes, rolesWith, scopeOf } from "#contract/accounts/permissions.ts";
import type { ErrorDetail } from "#contract/error.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { members, users } from "#gateway/platform/database/schema.ts";

/** Throws a 403 if the caller lacks the permission. */
export async function assertPermitted(queries: Queries, actor: Actor, permission: Permission): Promise<void> {
  if (actor.permissions.has(permission)) return;
  if (typeof actor.suspendedFor === "string") throw accountSuspended(actor.suspendedFor);
  if (actor.closesAt) throw accountClosing(actor.closesAt);
  if (actor.kind === "key") {
    const scope = scopeOf(permission);
    if (!scope)
      throw new ApiError(
        "user_session_required",
        "Only a signed-in member of the account can do this, never an account key.",
      );
    if (!permissionsOfScopes(actor.scopes).has(permission))
      throw new ApiError(
        "insufficient_scope",
        `This key lacks the scope \`${scope}\`. Use a key that has it.`,
      );
  }
  const whose = actor.kind === "key" ? "The role of this key's member" : "Your role";
  throw await roleNotAllowed(
    queries,
    actor.accountId,
    `${whose} (${actor.role}) may not do this.`,
    rolesWith(permission),
  );
}

/** People named in an error at most, per role. */
const namesShown = 5;

/** The 403 that names the roles that have the permission, and some of the people with these roles. */
export async function roleNotAllowed(
  queries: Queries,
  accountId: string,
  reason: string,
  roles: readonly Role[],
): Promise<ApiError> {
  const details = await peopleWithRole(queries, accountId, roles);
  return new ApiError("role_not_allowed", `${reason} Only the role ${roles.join(" or ")} can.`, { details });
}

/** Error details that name the roles that can help, and some of the people who have them. */
export async function peopleWithRole(
  queries: Queries,
  accountId: string,
  roles: readonly Role[],
): Promise<ErrorDetail[]> {
  const people = await queries
    .select({ id: users.id, name: users.name, role: members.role })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.accountId, accountId), inArray(members.role, [...roles])))
    .orderBy(asc(members.createdAt), asc(members.userId));
  return roles.map((role): ErrorDetail => {
    const named = people.filter((person) => person.role === role).slice(0, namesShown);
    return {
      path: "",
      keyword: "role",
      message: named.length > 0 ? `${role}: ${named.map(({ name }) => name).join(", ")}` : role,
      role,
      members: named.map(({ id, name }) => ({ id, name })),
    };
  });
}

/** The 403 for anything new in an account whose deletion is pending. */
export function accountClosing(closesAt: Date): ApiError {
  return new ApiError(
    "account_closing",
    closesAt <= clock.date()
      ? "This account is being deleted."
      : `This account will be deleted at ${closesAt.toISOString()}, so it accepts nothing new. Until then, an owner can cancel the deletion.`,
  );
}

/** The 403 for everything in a suspended account, with its operator's words. */
export function accountSuspended(reason: string): ApiError {
  return new ApiError("account_suspended", `The operator suspended this account: ${reason}`);
}
