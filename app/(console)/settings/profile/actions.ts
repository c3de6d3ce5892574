"use server";

import type { EmailChange, EmailChangeStarted } from "#contract/accounts/email-change.ts";
import type { PasswordChange, PasswordChanged } from "#contract/accounts/passwords.ts";
import type { Profile } from "#contract/accounts/profile.ts";
import type { SessionsEnded } from "#contract/accounts/sessions.ts";
import type { Deleted } from "#contract/list.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function renameMe(name: string): ActionResult<Profile> {
  return { answer: requestRoute("PATCH /account/profile", { body: { name } }) };
}

export async function changeMyEmail(body: EmailChange): ActionResult<EmailChangeStarted> {
  return { answer: requestRoute("POST /account/email", { body }) };
}

export async function changeMyPassword(body: PasswordChange): ActionResult<PasswordChanged> {
  return { answer: requestRoute("POST /account/password", { body }) };
}

export async function unlinkMyIdentity(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /account/identities/{id}", { params: { id } }) };
}

export async function endMySession(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /account/sessions/{id}", { params: { id } }) };
}

export async function endMyOtherSessions(): ActionResult<SessionsEnded> {
  return { answer: requestRoute("DELETE /account/sessions") };
}
