import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull } from "#gateway/platform/database/drizzle.ts";
import { apiKeys, invitations, passwordResets, users } from "#gateway/platform/database/schema.ts";

/** Clears `users.account_id`, because the previous release treats every user who has it as an owner. */
export async function forgetOwnership(queries: Queries, accountId: string, userId: string): Promise<void> {
  await queries
    .update(users)
    .set({ accountId: null })
    .where(and(eq(users.id, userId), eq(users.accountId, accountId)));
}

/**
 * Revokes the links that a person created: the person may have kept them, and they must not outlive the
 * person's rights.
 */
export async function revokeLinksMadeBy(queries: Queries, accountId: string, userId: string): Promise<void> {
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
export async function revokePersonalKeys(
  queries: Queries,
  accountId: string,
  userId: string,
): Promise<string[]> {
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
export async function stopAnswering(queries: Queries, accountId: string, userId: string): Promise<number> {
  const rows = await queries
    .update(apiKeys)
    .set({ answeredBy: null })
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.userId), eq(apiKeys.answeredBy, userId)))
    .returning({ revokedAt: apiKeys.revokedAt });
  return rows.filter(({ revokedAt }) => revokedAt === null).length;
}
