import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import { type Role, reachesRole } from "#contract/accounts/roles.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { members } from "#gateway/platform/database/schema.ts";
import { expireResets } from "../passwords/resets.ts";
import { assertAnotherOwner, memberOf, type Team } from "./team.ts";
import { forgetOwnership, revokeLinksMadeBy, stopAnswering } from "./withdraw.ts";

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
