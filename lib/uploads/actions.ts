"use server";

import type { Deleted } from "#contract/list.ts";
import type { Acting } from "@/lib/gateway/result";
import { deleteUpload } from "@/lib/server/gateway/uploads";

export async function removeUpload(id: string): Acting<Deleted> {
  return { answer: deleteUpload(id) };
}
