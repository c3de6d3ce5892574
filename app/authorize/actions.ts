"use server";

import type { Consent, ConsentCreate } from "#contract/connections.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/**
 * The address in this answer contains the client's code: the browser goes there at once, and nothing stores
 * it.
 */
export async function allow(body: ConsentCreate): ActionResult<Consent> {
  return { answer: requestRoute("POST /authorization/consents", { body }) };
}
