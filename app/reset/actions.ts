"use server";

import type {
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
} from "#contract/accounts/credentials.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { previewReset, resetPassword } from "@/lib/server/gateway/sign-in";

export async function lookAtReset(token: string): ActionResult<PasswordResetPreview> {
  return { answer: previewReset(String(token)) };
}

export async function setPassword(body: PasswordResetAccept): ActionResult<PasswordResetDone> {
  return { answer: resetPassword({ token: String(body.token), password: String(body.password) }) };
}
