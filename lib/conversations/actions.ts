"use server";

import type { Deleted } from "#contract/list.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function removeConversation(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /conversations/{id}", { params: { id } }) };
}
