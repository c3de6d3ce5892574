"use server";

import type { Deleted } from "#contract/list.ts";
import type { NoticeHook, NoticeHookCreate, NoticeHookUpdate, TestResult } from "#contract/notices.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function sendTestMail(): ActionResult<TestResult> {
  return { answer: requestRoute("POST /operator/mail/test", { body: {} }) };
}

export async function addHook(body: NoticeHookCreate): ActionResult<NoticeHook> {
  return { answer: requestRoute("POST /operator/notice_hooks", { body }) };
}

export async function changeHook(id: string, body: NoticeHookUpdate): ActionResult<NoticeHook> {
  return { answer: requestRoute("PATCH /operator/notice_hooks/{id}", { params: { id }, body }) };
}

export async function removeHook(id: string): ActionResult<Deleted> {
  return { answer: requestRoute("DELETE /operator/notice_hooks/{id}", { params: { id } }) };
}

export async function testHook(id: string): ActionResult<TestResult> {
  return { answer: requestRoute("POST /operator/notice_hooks/{id}/test", { params: { id } }) };
}
