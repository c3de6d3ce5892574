"use server";

import type { Deleted } from "#contract/list.ts";
import type {
  NoticeHook,
  NoticeHookCreate,
  NoticeHookUpdate,
  NoticePreferences,
  NoticePreferencesUpdate,
  TestResult,
} from "#contract/notices.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function chooseNotices(body: NoticePreferencesUpdate): ActionResult<NoticePreferences> {
  return { answer: requestRoute("PATCH /notices/preferences", { body }) };
}

export async function addHook(body: NoticeHookCreate): ActionResult<NoticeHook> {
  return { answer: requestRoute("POST /notices/hooks", { body }) };
}

export async function changeHook(id: string, body: NoticeHookUpdate): ActionResult<NoticeHook> {
  return { answer: requestRoute("PATCH /notices/hooks/{id}", { params: { id }, body }) };
}

export async function removeHook(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /notices/hooks/{id}", { params: { id } }) };
}

export async function testHook(id: string): ActionResult<TestResult> {
  return { answer: requestRoute("POST /notices/hooks/{id}/test", { params: { id } }) };
}
