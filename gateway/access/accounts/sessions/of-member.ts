import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { assertReaches, hasOtherAccounts, memberOf, type Team } from "../members/team.ts";

/**
 * Sessions belong to a person, not to one of their accounts. So only the person, operators, and managers of
 * the person's only account are allowed to see or end them. Throws `member_not_found`, `role_not_allowed`,
 * `member_of_others`.
 */
export async function assertMayManageSessions(
  queries: Queries,
  team: Team,
  actor: Actor,
  userId: string,
): Promise<void> {
  const { role } = memberOf(team, userId);
  if (userId === actor.id) return;
  await assertReaches(queries, team, actor, role);
  if (actor.isOperator) return;
  if (await hasOtherAccounts(queries, userId, team.accountId))
    throw new ApiError(
      "member_of_others",
      "This member also belongs to other accounts, so only they or an operator can end their sessions. To end their access to this account, remove the member.",
    );
}
