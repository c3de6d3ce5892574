import type { Invitation } from "#contract/accounts/invitations.ts";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { keyset, listOf } from "#gateway/platform/database/keyset.ts";
import { invitations } from "#gateway/platform/database/schema.ts";
import { withTotal } from "#gateway/platform/database/total.ts";
import { type Caller, recordAudit } from "../audit.ts";
import { assertReaches, lockTeam } from "../members/team.ts";
import { readPeople } from "../people.ts";
import { invitationView, lockInvitation } from "./find.ts";
import { assertNotAccepted } from "./invite.ts";

/** The account's invitations with their states, newest first. */
export async function listInvitations(
  { database }: Context,
  accountId: string,
  query: PageQuery,
): Promise<List<Invitation>> {
  const { queries } = database;
  const page = keyset("invitation", invitations.id, query, [eq(invitations.accountId, accountId)]);
  const rows = await queries
    .select()
    .from(invitations)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit);
  const people = await readPeople(
    queries,
    rows.map(({ invitedBy }) => invitedBy),
  );
  return withTotal(
    queries,
    page,
    listOf(page, rows, (row) => invitationView(row, people)),
  );
}

/** Withdraws an invitation. Throws `invitation_not_found`, `invitation_used`, `role_not_allowed`. */
export async function revokeInvitation(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { actor, ip, requestId } = caller;
  const { accountId } = actor;
  await context.database.transaction(async (queries) => {
    const team = await lockTeam(queries, accountId);
    const row = await lockInvitation(queries, accountId, id);
    await assertReaches(queries, team, actor, row.role);
    assertNotAccepted(row);
    if (row.revokedAt) return;
    await queries.update(invitations).set({ revokedAt: clock.date() }).where(eq(invitations.id, id));
    const detail = { email: row.email, role: row.role };
    const action = "invitation.revoked";
    await recordAudit(queries, { accountId, actor, action, targetId: id, detail, ip, requestId });
  });
  return { id, object: "invitation", deleted: true };
}
