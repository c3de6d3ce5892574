"use server";

import type { Account } from "#contract/account.ts";
import type { AccountDeletionPreview } from "#contract/account-deletion.ts";
import type { Deleted } from "#contract/list.ts";
import type { Acting } from "@/lib/gateway/result";
import { cancelDeletion, getDeletion, orderDeletion, updateAccount } from "@/lib/server/gateway/account";

export async function renameAccount(name: string): Acting<Account> {
  return { answer: updateAccount({ name }) };
}

/** Only sessions of the identity provider open the account; or any. */
export async function allowOnlyProvider(isProviderOnly: boolean): Acting<Account> {
  return { answer: updateAccount({ sign_in: isProviderOnly ? "provider" : "any" }) };
}

/** From a week on everybody in the account needs a second factor; or no longer. */
export async function requireSecondFactor(isRequired: boolean): Acting<Account> {
  return { answer: updateAccount({ second_factor_required: isRequired }) };
}

export async function readContents(): Acting<AccountDeletionPreview> {
  return { answer: getDeletion() };
}

/** In a week; `name` is what the owner typed. */
export async function deleteAccount(name: string): Acting<AccountDeletionPreview> {
  return { answer: orderDeletion({ name }) };
}

/** Takes the deletion back. */
export async function keepAccount(): Acting<Deleted> {
  return { answer: cancelDeletion() };
}
