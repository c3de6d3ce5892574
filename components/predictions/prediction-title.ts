import type { Prediction } from "#contract/prediction.ts";
import { shortenId } from "@/lib/format";
import { predictionLook } from "@/lib/status/prediction";

/** The title of a prediction's page says how it stands, so that a tab tells when it is done. */
export function predictionTitle(prediction: Pick<Prediction, "id" | "status">): string {
  return `${predictionLook(prediction.status).label}: prediction ${shortenId(prediction.id)}`;
}
