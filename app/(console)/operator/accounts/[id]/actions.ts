"use server";

import type { Deleted } from "#contract/list.ts";
import type { CreditAdded, CreditCreate } from "#contract/money/credits.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Sending the same key again adds the credit only once. */
export async function addCredit(id: string, body: CreditCreate, key: string): ActionResult<CreditAdded> {
  const headers = { "idempotency-key": key };
  return { answer: requestRoute("POST /operator/accounts/{id}/credits", { params: { id }, body, headers }) };
}

export async function endPrepayment(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /operator/accounts/{id}/credits", { params: { id } }) };
}
