import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { and, eq, getTableColumns, sql } from "#gateway/platform/database/drizzle.ts";
import { accountDeletions, accounts, apiKeys, members, users } from "#gateway/platform/database/schema.ts";
import { accountLimits, keyActor, keyWithMember, lacksSecondFactor, memberActor } from "./read-credential.ts";
import { hasSecondFactor } from "./second-factor/read.ts";

/** The person or key that started work which runs later, read from the work's row. */
export interface Asker {
  accountId: string;
  keyId: string | null;
  userId: string | null;
}

/**
 * The key or member with their current rights, for work that they asked for earlier. Throws
 * `revoked_api_key`, `expired_api_key`, `member_not_found` or `second_factor_required`.
 */
export async function readActorNow(database: Database, asker: Asker): Promise<Actor> {
  return asker.keyId === null ? readMember(database, asker) : readKey(database, asker, asker.keyId);
}

async function readKey({ queries }: Database, { accountId }: Asker, keyId: string): Promise<Actor> {
  const [found] = await keyWithMember(queries, and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId)));
  if (!found || found.key.revokedAt)
    throw new ApiError(
      "revoked_api_key",
      "The key that started this run was revoked. Start the run again with another key.",
    );
  const { key, member, closesAt } = found;
  if (key.userId !== null && !member)
    throw new ApiError(
      "revoked_api_key",
      "The key that started this run ended when its member was removed. Start the run again with another key.",
    );
  if (key.expiresAt !== null && key.expiresAt <= clock.date())
    throw new ApiError(
      "expired_api_key",
      "The key that started this run has expired. Start the run again with another key.",
    );
  return keyActor(key, member, closesAt, found);
}

async function readMember({ queries }: Database, { accountId, userId }: Asker): Promise<Actor> {
  const [found] = await queries
    .select({
      user: getTableColumns(users),
      member: getTableColumns(members),
      secondFactorFrom: accounts.secondFactorFrom,
      hasSecondFactor,
      usesProvider: sql<boolean>`exists (select from identities where identities.user_id = users.id)`,
      closesAt: accountDeletions.dueAt,
      ...accountLimits,
    })
    .from(members)
    .leftJoin(accountDeletions, eq(accountDeletions.accountId, members.accountId))
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(and(eq(members.accountId, accountId), eq(members.userId, userId ?? "")));
  if (!found)
    throw new ApiError(
      "member_not_found",
      "The member who started this run was removed from the account. Another member can start it again.",
    );
  // A member whose sessions may come from the identity provider, which need no second factor, is not required
  // to have one here.
  if (!found.usesProvider && lacksSecondFactor(found.secondFactorFrom, found.hasSecondFactor))
    throw new ApiError(
      "second_factor_required",
      "The account requires a second factor, and the member who started this run has none. Set one up, then start the run again.",
    );
  return memberActor(found.user, found.member, false, found.closesAt, found);
}
