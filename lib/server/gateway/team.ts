import "server-only";
import type { Invitation, InvitationCreate, InvitationWithLink } from "#contract/invitations.ts";
import type { Deleted, List, PageQuery } from "#contract/list.ts";
import type { Member, MemberList, MemberUpdate } from "#contract/members.ts";
import type { PasswordReset } from "#contract/passwords.ts";
import type { SessionsEnded } from "#contract/sessions.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";
import type { Filter } from "./send.ts";

const member = (userId: string) => `/account/members/${encodeURIComponent(userId)}`;
const invitation = (id: string) => `/account/invitations/${encodeURIComponent(id)}`;

export function listMembers(): Promise<GatewayResult<MemberList>> {
  return requestGateway("/account/members");
}

export function updateMember(userId: string, body: MemberUpdate): Promise<GatewayResult<Member>> {
  return requestGateway(member(userId), { method: "PATCH", body });
}

export function removeMember(userId: string): Promise<GatewayResult<Deleted>> {
  return requestGateway(member(userId), { method: "DELETE" });
}

/** Only this answer has the link. */
export function createPasswordReset(userId: string): Promise<GatewayResult<PasswordReset>> {
  return requestGateway(`${member(userId)}/reset`, { method: "POST" });
}

export function endMemberSessions(userId: string): Promise<GatewayResult<SessionsEnded>> {
  return requestGateway(`${member(userId)}/sessions`, { method: "DELETE" });
}

export function listInvitations(query: Filter<PageQuery> = {}): Promise<GatewayResult<List<Invitation>>> {
  return requestGateway("/account/invitations", { query });
}

/** Only this answer has the link. */
export function createInvitation(body: InvitationCreate): Promise<GatewayResult<InvitationWithLink>> {
  return requestGateway("/account/invitations", { method: "POST", body });
}

/** Only this answer has the new link. */
export function renewInvitation(id: string): Promise<GatewayResult<InvitationWithLink>> {
  return requestGateway(`${invitation(id)}/renew`, { method: "POST" });
}

export function revokeInvitation(id: string): Promise<GatewayResult<Deleted>> {
  return requestGateway(invitation(id), { method: "DELETE" });
}
