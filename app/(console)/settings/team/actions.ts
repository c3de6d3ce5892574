"use server";

import type { InvitationCreate, InvitationWithLink } from "#contract/invitations.ts";
import type { MonthlyBudget } from "#contract/keys.ts";
import type { Deleted } from "#contract/list.ts";
import type { Member } from "#contract/members.ts";
import type { PasswordReset } from "#contract/passwords.ts";
import type { Role } from "#contract/roles.ts";
import type { SessionsEnded } from "#contract/sessions.ts";
import type { Acting } from "@/lib/gateway/result";
import {
  createInvitation,
  createPasswordReset,
  endMemberSessions,
  removeMember,
  renewInvitation,
  revokeInvitation,
  updateMember,
} from "@/lib/server/gateway/team";

export async function changeRole(userId: string, role: Role): Acting<Member> {
  return { answer: updateMember(userId, { role }) };
}

export async function changeBudget(userId: string, budget: MonthlyBudget | null): Acting<Member> {
  return { answer: updateMember(userId, { monthly_budget: budget }) };
}

export async function dismissMember(userId: string): Acting<Deleted> {
  return { answer: removeMember(userId) };
}

/** The link is in this answer only. */
export async function makeResetLink(userId: string): Acting<PasswordReset> {
  return { answer: createPasswordReset(userId) };
}

export async function endSessionsOf(userId: string): Acting<SessionsEnded> {
  return { answer: endMemberSessions(userId) };
}

/** The link is in this answer only. */
export async function invite(body: InvitationCreate): Acting<InvitationWithLink> {
  return { answer: createInvitation(body) };
}

/** As `invite`: the old link ends. */
export async function renewLink(id: string): Acting<InvitationWithLink> {
  return { answer: renewInvitation(id) };
}

export async function withdrawInvitation(id: string): Acting<Deleted> {
  return { answer: revokeInvitation(id) };
}
