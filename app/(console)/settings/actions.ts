"use server";

import type { Account } from "#contract/account.ts";
import type { Acting } from "@/lib/gateway/result";
import { updateAccount } from "@/lib/server/gateway/account";

export async function renameAccount(name: string): Acting<Account> {
  return { answer: updateAccount({ name }) };
}
