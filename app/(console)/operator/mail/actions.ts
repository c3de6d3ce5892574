"use server";

import type { TestResult } from "#contract/notices.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function sendTestMail(): ActionResult<TestResult> {
  return { answer: requestRoute("POST /operator/mail/test", { body: {} }) };
}
