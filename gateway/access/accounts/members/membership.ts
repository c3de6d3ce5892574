import { type Role, reachesRole } from "#contract/accounts/constants.ts";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import { type Deleted, deleted } from "#contract/list.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, invitations, members, passwordResets, users } from "#gateway/platform/database/schema.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import { accountsOfUser } from "../account.ts";
import { type AuditEntry, recordAudit } from "../audit.ts";
import { assertNotClosing } from "../deletion/deletion.ts";
import { expireResets } from "../passwords/passwords.ts";
import { clearSecondFactor } from "../second-factor/changes.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { assertNotSuspended } from "../suspension.ts";
import { assertAnotherOwner, assertReaches, lockTeam, memberOf, type Team } from "./team.ts";

/**
 * Removes a member, or lets the caller leave. Their personal keys and their sessions in this account end, at
 * once in this process and within a second in others. Throws `member_not_found`, `role_not_allowed`,
 * `last_owner`.
 */
export async function removeMember(context: AccessContext, caller: Caller, userId: string): Promise<Deleted> {
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

/** Clears `users.account_id`, because the previous release treats every user who has it as an owner. */
async function forgetOwnership(queries: Queries, accountId: string, userId: string): Promise<void> {
  await queries
    .update(users)
    .set({ accountId: null })
    .where(and(eq(users.id, userId), eq(users.accountId, accountId)));
}

/**
 * Revokes the links that a person created: the person may have kept them, and they must not outlive the
 * person's rights.
 */
async function revokeLinksMadeBy(queries: Queries, accountId: string, userId: string): Promise<void> {
  await queries
    .update(invitations)
    .set({ revokedAt: clock.date() })
    .where(
      and(
        eq(invitations.accountId, accountId),
        eq(invitations.invitedBy, userId),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
      ),
    );
  await queries
    .update(passwordResets)
    .set({ expiresAt: clock.date() })
    .where(and(eq(passwordResets.madeBy, userId), isNull(passwordResets.usedAt)));
}

/** Returns the ids of the personal keys that it ended. */
async function revokePersonalKeys(queries: Queries, accountId: string, userId: string): Promise<string[]> {
  const rows = await queries
    .update(apiKeys)
    .set({ revokedAt: clock.date() })
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return rows.map(({ id }) => id);
}

/**
 * Returns the number of service keys that now have nobody responsible. Rejoining does not restore the
 * responsibility.
 */
async function stopAnswering(queries: Queries, accountId: string, userId: string): Promise<number> {
  const rows = await queries
    .update(apiKeys)
    .set({ answeredBy: null })
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.userId), eq(apiKeys.answeredBy, userId)))
    .returning({ revokedAt: apiKeys.revokedAt });
  return rows.filter(({ revokedAt }) => revokedAt === null).length;
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

interface NewMember {
  accountId: string;
  userId: string;
  role: Role;
}

/**
 * Makes a user a member in the caller's transaction; returns false if they already are one. Throws
 * `account_closing` if the account's deletion is pending, `account_suspended`.
 */
export async function addMember(
  queries: Queries,
  { accountId, userId, role }: NewMember,
  entry: Omit<AuditEntry, "accountId" | "action" | "targetId">,
): Promise<boolean> {
  await assertNotClosing(queries, accountId);
  await assertNotSuspended(queries, accountId);
  const [added] = await queries
    .insert(members)
    .values({ accountId, userId, role })
    .onConflictDoNothing()
    .returning({ userId: members.userId });
  if (!added) return false;
  // An admin of another account of this user may have created a password link for them. With that link the
  // admin must not get into this account.
  await expireResets(queries, userId);
  await recordAudit(queries, {
    accountId,
    ...entry,
    action: "member.joined",
    targetId: userId,
    detail: { ...entry.detail, role },
  });
  const [user] = await queries.select({ name: users.name }).from(users).where(eq(users.id, userId));
  await recordCause(queries, {
    cause: "member.joined",
    accountId,
    subjectId: userId,
    data: { name: user?.name ?? "", role },
  });
  return true;
}

/** Gives a member another role, in the caller's transaction. Throws `member_not_found`, `last_owner`. */
export async function setRole(queries: Queries, team: Team, userId: string, role: Role): Promise<void> {
  const { accountId } = team;
  const before = memberOf(team, userId);
  if (before.role === role) return;
  if (before.role === "owner") {
    assertAnotherOwner(team, userId);
    await forgetOwnership(queries, accountId, userId);
  }
  if (!reachesRole(role, before.role)) await revokeLinksMadeBy(queries, accountId, userId);
  if (!permissionsOfRole(role).has("attestations:answer")) await stopAnswering(queries, accountId, userId);
  // Somebody may have created a password link while this member had a lower role. With that link they must
  // not get the rights of the new role.
  await expireResets(queries, userId);
  await queries
    .update(members)
    .set({ role })
    .where(and(eq(members.accountId, accountId), eq(members.userId, userId)));
}
