"use server";

import type { Notice, NoticesRead } from "#contract/notices.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function markNoticeRead(id: string): ActionResult<Notice> {
  return { answer: requestRoute("POST /notices/{id}/read", { params: { id } }) };
}

export async function markAllNoticesRead(upTo: string): ActionResult<NoticesRead> {
  return { answer: requestRoute("POST /notices/read_all", { body: { up_to: upTo } }) };
}
