"use server";

import type { ConfigurationChange } from "#contract/operator/changes.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Undoes a change of the configuration. */
export async function undoChange(changeId: string): ActionResult<ConfigurationChange> {
  return { answer: requestRoute("POST /operator/changes/{id}/undo", { params: { id: changeId } }) };
}
