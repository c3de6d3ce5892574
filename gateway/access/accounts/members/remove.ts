import { type Deleted, deleted } from "#contract/list.ts";
import type { BaseContext } from "#gateway/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { members, passwordResets, users } from "#gateway/platform/database/schema.ts";
import { type AuditEntry, recordAudit } from "../audit.ts";
import { accountsOfUser } from "../read-account.ts";
import { clearSecondFactor } from "../second-factor/changes.ts";
import { endSessionsOf } from "../sessions/end.ts";
import { assertAnotherOwner, assertReaches, lockTeam, memberOf, type Team } from "./team.ts";
import { forgetOwnership, revokeLinksMadeBy, revokePersonalKeys, stopAnswering } from "./withdraw.ts";

/**
 * Removes a member, or lets the caller leave. Their personal keys and their sessions in this account end, at
 * once in this process and within a second in others. Throws `member_not_found`, `role_not_allowed`,
 * `last_owner`.
 */
export async function removeMember(context: BaseContext, caller: Caller, userId: string): Promise<Deleted> {
  const { actor, ip, requestId } = caller;
  await context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, actor.accountId);
    const isLeaving = actor.kind === "user" && actor.id === userId;
    if (!isLeaving) await assertReaches(queries, team, actor, memberOf(team, userId).role);
    await endMembership(queries, team, userId, {
      actor,
      action: isLeaving ? "member.left" : "member.removed",
      ip,
      requestId,
    });
  });
  context.credentials.forget(userId);
  return deleted("member", userId);
}

/** Ends a membership, in the caller's transaction. Throws `member_not_found`, `last_owner`. */
export async function endMembership(
  queries: Queries,
  team: Team,
  userId: string,
  entry: Omit<AuditEntry, "accountId" | "targetId" | "detail">,
): Promise<void> {
  const { accountId } = team;
  const { role } = memberOf(team, userId);
  if (role === "owner") assertAnotherOwner(team, userId);
  const keys = await revokePersonalKeys(queries, accountId, userId);
  const unanswered = await stopAnswering(queries, accountId, userId);
  await revokeLinksMadeBy(queries, accountId, userId);
  await forgetOwnership(queries, accountId, userId);
  await queries.delete(members).where(and(eq(members.accountId, accountId), eq(members.userId, userId)));
  const [elsewhere] = await queries.select().from(members).where(eq(members.userId, userId)).limit(1);
  if (!elsewhere) await endSessionsOf(queries, userId);
  await recordAudit(queries, {
    accountId,
    ...entry,
    targetId: userId,
    detail: {
      role,
      keys_revoked: keys.length,
      ...(unanswered > 0 && { service_keys_unanswered: unanswered }),
    },
  });
}

/**
 * Removes a person from all accounts and deletes how they sign in; their name stays with their actions and
 * attestations. Call it inside a transaction. Throws `last_owner`.
 */
export async function eraseUser(queries: Queries, userId: string): Promise<void> {
  for (const { id } of await accountsOfUser(queries, userId)) {
    const team = await lockTeam(queries, id);
    await endMembership(queries, team, userId, { actor: null, action: "member.removed" });
  }
  await forgetUser(queries, userId);
}

/** Deletes a person's sign-in data and e-mail address; call it inside a transaction. */
export async function forgetUser(queries: Queries, userId: string): Promise<void> {
  await clearSecondFactor(queries, userId);
  await queries.delete(passwordResets).where(eq(passwordResets.userId, userId));
  await queries
    .update(users)
    .set({
      email: `${userId}@removed.invalid`,
      emailVerifiedAt: null,
      passwordHash: null,
      isOperator: false,
      accountId: null,
    })
    .where(eq(users.id, userId));
}
