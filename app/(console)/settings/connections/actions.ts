"use server";

import type { MonthlyBudget } from "#contract/accounts/keys.ts";
import type { Connection } from "#contract/connections.ts";
import type { Deleted } from "#contract/list.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Null takes the budget away. */
export async function changeBudget(id: string, budget: MonthlyBudget | null): ActionResult<Connection> {
  return {
    answer: requestRoute("PATCH /connections/{id}", { params: { id }, body: { monthly_budget: budget } }),
  };
}

export async function changeEnd(id: string, expiresAt: string): ActionResult<Connection> {
  return {
    answer: requestRoute("PATCH /connections/{id}", { params: { id }, body: { expires_at: expiresAt } }),
  };
}

export async function endConnection(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /connections/{id}", { params: { id } }) };
}
