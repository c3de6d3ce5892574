"use server";

import type { Prediction } from "#contract/prediction.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

export async function stopPrediction(id: string): ActionResult<Prediction> {
  return { answer: requestRoute("POST /predictions/{id}/cancel", { params: { id } }) };
}
