import "server-only";
import type { Invitation, InvitationCreate, InvitationWithLink } from "#contract/invitations.ts";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import type { Member, MemberList, MemberUpdate } from "#contract/members.ts";
import type { PasswordReset } from "#contract/passwords.ts";
import type { SessionsEnded } from "#contract/sessions.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";
import type { Filter } from "./send.ts";

export function listMembers(): Promise<GatewayResult<MemberList>> {
  return requestRoute("GET /account/members");
}

export function updateMember(userId: string, body: MemberUpdate): Promise<GatewayResult<Member>> {
  return requestRoute("PATCH /account/members/{user_id}", { params: { user_id: userId }, body });
}

export function removeMember(userId: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /account/members/{user_id}", { params: { user_id: userId } });
}

/** Only this answer has the link. */
export function createPasswordReset(userId: string): Promise<GatewayResult<PasswordReset>> {
  return requestRoute("POST /account/members/{user_id}/reset", { params: { user_id: userId } });
}

export function endMemberSessions(userId: string): Promise<GatewayResult<SessionsEnded>> {
  return requestRoute("DELETE /account/members/{user_id}/sessions", { params: { user_id: userId } });
}

export function listInvitations(query: Filter<PageQuery> = {}): Promise<GatewayResult<List<Invitation>>> {
  return requestRoute("GET /account/invitations", { query });
}

/** Only this answer has the link. */
export function createInvitation(body: InvitationCreate): Promise<GatewayResult<InvitationWithLink>> {
  return requestRoute("POST /account/invitations", { body });
}

/** Only this answer has the new link. */
export function renewInvitation(id: string): Promise<GatewayResult<InvitationWithLink>> {
  return requestRoute("POST /account/invitations/{id}/renew", { params: { id } });
}

export function revokeInvitation(id: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /account/invitations/{id}", { params: { id } });
}
