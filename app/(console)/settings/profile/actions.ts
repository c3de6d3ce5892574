"use server";

import type { Deleted } from "#contract/list.ts";
import type { PasswordChange, PasswordChanged } from "#contract/passwords.ts";
import type { Profile } from "#contract/profile.ts";
import type { SessionsEnded } from "#contract/sessions.ts";
import type { Acting } from "@/lib/gateway/result";
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  unlinkIdentity,
  updateProfile,
} from "@/lib/server/gateway/profile";

export async function renameMe(name: string): Acting<Profile> {
  return { answer: updateProfile({ name }) };
}

export async function changeMyPassword(body: PasswordChange): Acting<PasswordChanged> {
  return { answer: changePassword(body) };
}

export async function unlinkMyIdentity(id: string): Acting<Deleted> {
  return { answer: unlinkIdentity(id) };
}

export async function endMySession(id: string): Acting<Deleted> {
  return { answer: endOneSession(id) };
}

export async function endMyOtherSessions(): Acting<SessionsEnded> {
  return { answer: endOtherSessions() };
}
