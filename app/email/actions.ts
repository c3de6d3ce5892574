"use server";

import type { EmailChanged, EmailChangePreview } from "#contract/accounts/credentials.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { confirmEmailChange, previewEmailChange } from "@/lib/server/gateway/sign-in";

export async function lookAtEmailChange(token: string): ActionResult<EmailChangePreview> {
  return { answer: previewEmailChange(String(token)) };
}

export async function confirmEmail(token: string): ActionResult<EmailChanged> {
  return { answer: confirmEmailChange(String(token)) };
}
