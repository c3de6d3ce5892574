"use server";

import type { Deleted } from "#contract/list.ts";
import type { Acting } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function removeUpload(id: string): Acting<Deleted> {
  return { answer: requestRoute("DELETE /uploads/{id}", { params: { id } }) };
}
