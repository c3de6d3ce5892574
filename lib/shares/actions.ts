"use server";

import type { Deleted } from "#contract/list.ts";
import type { Share, ShareCreate } from "#contract/shares.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function makeLink(outputId: string, body: ShareCreate): ActionResult<Share> {
  return { answer: requestRoute("POST /outputs/{id}/shares", { params: { id: outputId }, body }) };
}

export async function revokeLink(outputId: string, id: string): ActionResult<Deleted> {
  return {
    answer: requestRoute("DELETE /outputs/{id}/shares/{share_id}", {
      params: { id: outputId, share_id: id },
    }),
  };
}
