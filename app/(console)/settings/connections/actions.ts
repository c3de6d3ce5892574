"use server";

import type { Connection } from "#contract/connections.ts";
import type { Deleted } from "#contract/list.ts";
import type { BudgetChange } from "@/components/keys/budget-dialog";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function changeBudgets(id: string, budgets: BudgetChange): ActionResult<Connection> {
  return { answer: requestRoute("PATCH /connections/{id}", { params: { id }, body: budgets }) };
}

export async function changeEnd(id: string, expiresAt: string): ActionResult<Connection> {
  return {
    answer: requestRoute("PATCH /connections/{id}", { params: { id }, body: { expires_at: expiresAt } }),
  };
}

export async function endConnection(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /connections/{id}", { params: { id } }) };
}
