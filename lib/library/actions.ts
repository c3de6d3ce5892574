"use server";

import type { Deleted } from "#contract/list.ts";
import type { KeepRequest, Output } from "#contract/outputs.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function keepOutput(id: string, body: KeepRequest): ActionResult<Output> {
  return { answer: requestRoute("POST /outputs/{id}/keep", { params: { id }, body }) };
}

export async function removeKept(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /outputs/{id}/keep", { params: { id } }) };
}
