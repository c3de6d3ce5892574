import type { Prediction } from "#contract/prediction.ts";
import { StatusPill } from "@/components/ui/badge";
import { shortenId } from "@/lib/format";
import { predictionLook } from "@/lib/status/prediction";

/** The status of a prediction. An unknown status is neutral, with its raw text. */
export function PredictionStatus({ status, progress }: { status: string; progress?: number | null }) {
  const look = predictionLook(status);
  const label = status === "processing" && progress ? `${look.label} ${progress} %` : look.label;
  return <StatusPill label={label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}

/** The page title contains the status, so that the browser tab shows when the prediction has finished. */
export function predictionTitle(prediction: Pick<Prediction, "id" | "status">): string {
  return `${predictionLook(prediction.status).label}: prediction ${shortenId(prediction.id)}`;
}
