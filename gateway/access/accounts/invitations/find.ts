import type { Invitation, InvitationState } from "#contract/accounts/invitations.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { invitations } from "#gateway/platform/database/schema.ts";
import { idInToken, isTokenOf } from "../link-token.ts";
import type { People } from "../people.ts";

/** How long invitations stay in the list after their end. */
const keptAfterSeconds = 90 * 86_400;

export type InvitationRow = typeof invitations.$inferSelect;

/** The invitation of an account, locked. Throws `invitation_not_found`. */
export async function lockInvitation(
  queries: Queries,
  accountId: string,
  id: string,
): Promise<InvitationRow> {
  const [row] = await queries
    .select()
    .from(invitations)
    .where(and(eq(invitations.id, id), eq(invitations.accountId, accountId)))
    .for("update");
  if (!row) throw new ApiError("invitation_not_found", "There is no such invitation.");
  return row;
}

/**
 * Finds the invitation by the token in its link. Throws `invitation_not_found`, or `invitation_expired` for a
 * link that was replaced.
 */
export async function findByToken(queries: Queries, token: string, locked = false): Promise<InvitationRow> {
  const query = queries
    .select()
    .from(invitations)
    .where(eq(invitations.id, idInToken("invitation", token) ?? ""));
  const [row] = await (locked ? query.for("update") : query);
  if (!row)
    throw new ApiError(
      "invitation_not_found",
      "This link is not valid. Copy the whole link, or ask for a new one.",
    );
  if (!isTokenOf(token, row.tokenHash))
    throw new ApiError("invitation_expired", "This link was replaced by a newer one. Use the newer link.");
  return row;
}

export function stateOf({ acceptedAt, revokedAt, replacedBy, expiresAt }: InvitationRow): InvitationState {
  if (acceptedAt) return "accepted";
  if (revokedAt) return replacedBy ? "replaced" : "revoked";
  return expiresAt.getTime() <= clock.now() ? "expired" : "open";
}

/** Throws `invitation_used` or `invitation_expired`. */
export function assertOpen(row: InvitationRow): void {
  switch (stateOf(row)) {
    case "open":
      return;
    case "accepted":
      throw new ApiError("invitation_used", "This invitation was already accepted. Sign in instead.");
    case "expired":
      throw new ApiError("invitation_expired", "This invitation has expired. Ask for a new link.");
    case "revoked":
      throw new ApiError("invitation_expired", "This invitation was revoked. Ask for a new one.");
    case "replaced":
      throw new ApiError(
        "invitation_expired",
        "This invitation was replaced by a newer one. Use the newer link.",
      );
  }
}

export function invitationView(row: InvitationRow, people: People): Invitation {
  return {
    id: row.id,
    object: "invitation",
    email: row.email,
    role: row.role,
    state: stateOf(row),
    invited_by: people.find(row.invitedBy),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    accepted_at: row.acceptedAt?.toISOString() ?? null,
  };
}

export const invitationSweep = rowSweep({
  kind: "invitations",
  table: "invitations",
  dueAt: "expires_at",
  afterSeconds: keptAfterSeconds,
});
