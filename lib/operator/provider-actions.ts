"use server";

import type { ProviderTest } from "#contract/operator/providers.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** A provider that does not answer is waited for region by region. */
const testMs = 60_000;

/** Sends the provider a request that costs nothing. */
export async function tryProvider(id: string): ActionResult<ProviderTest> {
  return {
    answer: requestRoute("POST /operator/providers/{id}/test", { params: { id }, timeoutMs: testMs }),
  };
}
