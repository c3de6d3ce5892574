"use server";

import type { ApiKeyCreate, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Only this answer contains the key: the caller shows it and does not store it. */
export async function addKey(body: ApiKeyCreate): ActionResult<ApiKeyWithSecret> {
  return { answer: requestRoute("POST /keys", { body }) };
}
