"use server";

import type { Account } from "#contract/accounts/account.ts";
import type { AccountDeletionPreview } from "#contract/accounts/account-deletion.ts";
import type { Deleted } from "#contract/list.ts";
import type { BudgetInputs } from "#contract/money/budgets.ts";
import type { AccountBudgets } from "#contract/money/credits.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function renameAccount(name: string): ActionResult<Account> {
  return { answer: requestRoute("PATCH /account", { body: { name } }) };
}

/** At most two keys of metadata. */
export async function sumUsageBy(keys: string[]): ActionResult<Account> {
  return { answer: requestRoute("PATCH /account", { body: { usage_keys: keys } }) };
}

/** An empty list removes all. */
export async function changeAccountBudgets(budgets: BudgetInputs): ActionResult<AccountBudgets> {
  return { answer: requestRoute("PATCH /account/budgets", { body: { budgets } }) };
}

/** True: only sessions of the identity provider open the account. False: any session does. */
export async function allowOnlyProvider(isProviderOnly: boolean): ActionResult<Account> {
  return {
    answer: requestRoute("PATCH /account", { body: { sign_in: isProviderOnly ? "provider" : "any" } }),
  };
}

/** Whether outputs of gated models may be shared with signed-in people who pass the same gates. */
export async function allowSharingGated(isAllowed: boolean): ActionResult<Account> {
  return { answer: requestRoute("PATCH /account", { body: { share_gated_outputs: isAllowed } }) };
}

/** Requires a second factor of every member from next week, or stops requiring it. */
export async function requireSecondFactor(isRequired: boolean): ActionResult<Account> {
  return { answer: requestRoute("PATCH /account", { body: { second_factor_required: isRequired } }) };
}

export async function readContents(): ActionResult<AccountDeletionPreview> {
  return { answer: requestRoute("GET /account/deletion") };
}

/** Schedules the deletion in a week; `name` is what the owner typed to confirm. */
export async function deleteAccount(name: string): ActionResult<AccountDeletionPreview> {
  return { answer: requestRoute("POST /account/deletion", { body: { name } }) };
}

/** Cancels the deletion. */
export async function keepAccount(): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /account/deletion") };
}
