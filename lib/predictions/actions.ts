"use server";

import type { Prediction } from "#contract/prediction.ts";
import type { Acting } from "@/lib/gateway/result";
import { cancelPrediction } from "@/lib/server/gateway/predictions";

export async function stopPrediction(id: string): Acting<Prediction> {
  return { answer: cancelPrediction(id) };
}
