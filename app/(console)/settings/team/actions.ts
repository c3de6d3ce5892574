"use server";

import type { InvitationCreate, InvitationWithLink } from "#contract/accounts/invitations.ts";
import type { Member } from "#contract/accounts/members.ts";
import type { PasswordReset } from "#contract/accounts/passwords.ts";
import type { Role } from "#contract/accounts/roles.ts";
import type { SessionsEnded } from "#contract/accounts/sessions.ts";
import type { Deleted } from "#contract/list.ts";
import type { BudgetChange } from "@/components/keys/budget-dialog";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function changeRole(userId: string, role: Role): ActionResult<Member> {
  return {
    answer: requestRoute("PATCH /account/members/{user_id}", { params: { user_id: userId }, body: { role } }),
  };
}

export async function changeBudgets(userId: string, budgets: BudgetChange): ActionResult<Member> {
  return {
    answer: requestRoute("PATCH /account/members/{user_id}", {
      params: { user_id: userId },
      body: budgets,
    }),
  };
}

export async function dismissMember(userId: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /account/members/{user_id}", { params: { user_id: userId } }) };
}

/** Only this answer contains the link. */
export async function makeResetLink(userId: string): ActionResult<PasswordReset> {
  return { answer: requestRoute("POST /account/members/{user_id}/reset", { params: { user_id: userId } }) };
}

export async function endSessionsOf(userId: string): ActionResult<SessionsEnded> {
  return {
    answer: requestRoute("DELETE /account/members/{user_id}/sessions", { params: { user_id: userId } }),
  };
}

/** Only this answer contains the link. */
export async function invite(body: InvitationCreate): ActionResult<InvitationWithLink> {
  return { answer: requestRoute("POST /account/invitations", { body }) };
}

/** As with `invite`; the old link stops working. */
export async function renewLink(id: string): ActionResult<InvitationWithLink> {
  return { answer: requestRoute("POST /account/invitations/{id}/renew", { params: { id } }) };
}

export async function withdrawInvitation(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /account/invitations/{id}", { params: { id } }) };
}
