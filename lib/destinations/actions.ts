"use server";

import type { Copy } from "#contract/copies.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function copyOutput(id: string, destination: string): ActionResult<Copy> {
  return { answer: requestRoute("POST /outputs/{id}/copies", { params: { id }, body: { destination } }) };
}

export async function retryFailedCopy(id: string): ActionResult<Copy> {
  return { answer: requestRoute("POST /copies/{id}/retry", { params: { id } }) };
}
