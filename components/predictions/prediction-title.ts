import type { Prediction } from "#contract/prediction.ts";
import { shortenId } from "@/lib/format";
import { predictionLook } from "@/lib/status/prediction";

/** The page title contains the status, so that the browser tab shows when the prediction has finished. */
export function predictionTitle(prediction: Pick<Prediction, "id" | "status">): string {
  return `${predictionLook(prediction.status).label}: prediction ${shortenId(prediction.id)}`;
}
