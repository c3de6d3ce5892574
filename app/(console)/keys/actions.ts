"use server";

import type { ApiKey, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import type { Deleted } from "#contract/list.ts";
import type { BudgetChange } from "@/components/keys/budget-dialog";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** As with `addKey`, only this answer contains the new key. */
export async function replaceKey(id: string, graceSeconds: number): ActionResult<ApiKeyWithSecret> {
  return {
    answer: requestRoute("POST /keys/{id}/rotate", { params: { id }, body: { grace_seconds: graceSeconds } }),
  };
}

export async function changeBudgets(id: string, budgets: BudgetChange): ActionResult<ApiKey> {
  return { answer: requestRoute("PATCH /keys/{id}", { params: { id }, body: budgets }) };
}

/** Null: browsers may not use the key. */
export async function changeOrigins(id: string, origins: string[] | null): ActionResult<ApiKey> {
  return { answer: requestRoute("PATCH /keys/{id}", { params: { id }, body: { allowed_origins: origins } }) };
}

export async function withdrawKey(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /keys/{id}", { params: { id } }) };
}
