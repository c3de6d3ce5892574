"use server";

import type { PasswordForgottenTaken } from "#contract/accounts/credentials.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { forgetPassword } from "@/lib/server/gateway/sign-in";

export async function askForReset(email: string): ActionResult<PasswordForgottenTaken> {
  return { answer: forgetPassword(String(email)) };
}
