"use server";

import type { ApiKey, ApiKeyCreate, ApiKeyWithSecret, MonthlyBudget } from "#contract/keys.ts";
import type { Deleted } from "#contract/list.ts";
import type { Acting } from "@/lib/gateway/result";
import { createKey, revokeKey, rotateKey, updateKey } from "@/lib/server/gateway/account";

/** The response is the only one that contains the key: the caller shows it and does not store it. */
export async function addKey(body: ApiKeyCreate): Acting<ApiKeyWithSecret> {
  return { answer: createKey(body) };
}

/** As `addKey`: the new key comes in this answer only. */
export async function replaceKey(id: string, graceSeconds: number): Acting<ApiKeyWithSecret> {
  return { answer: rotateKey(id, { grace_seconds: graceSeconds }) };
}

/** Null takes the budget away. */
export async function changeBudget(id: string, budget: MonthlyBudget | null): Acting<ApiKey> {
  return { answer: updateKey(id, { monthly_budget: budget }) };
}

export async function withdrawKey(id: string): Acting<Deleted> {
  return { answer: revokeKey(id) };
}
