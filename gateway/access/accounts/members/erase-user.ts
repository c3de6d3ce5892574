import type { Queries } from "#gateway/platform/database/database.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { passwordResets, users } from "#gateway/platform/database/schema.ts";
import { accountsOfUser } from "../read-account.ts";
import { clearSecondFactor } from "../second-factor/clear.ts";
import { endMembership } from "./remove.ts";
import { lockTeam } from "./team.ts";

/**
 * Takes a person out of all accounts and forgets how they sign in; their name stays with what they did and attested. Call
 * it inside a transaction. Throws `last_owner`.
 */
export async function eraseUser(queries: Queries, userId: string): Promise<void> {
  for (const { id } of await accountsOfUser(queries, userId)) {
    const team = await lockTeam(queries, id);
    await endMembership(queries, team, userId, { actor: null, action: "member.removed" });
  }
  await forgetUser(queries, userId);
}

/** Forgets how somebody signs in, and their address; call it inside a transaction. */
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
