import type { Prediction } from "#contract/prediction.ts";
import { useFormats, useWords } from "#words";
import { StatusPill } from "@/components/ui/badge";
import { shortenId } from "@/lib/format";
import { predictionLook } from "@/lib/status/prediction";
import type { Words } from "@/messages/words";

/** The status of a prediction. An unknown status is neutral, with its raw text. */
export function PredictionStatus({ status, progress }: { status: string; progress?: number | null }) {
  const format = useFormats();
  const look = predictionLook(useWords("states"), status);
  const label =
    status === "processing" && progress ? `${look.label} ${format.percent(progress)}` : look.label;
  return <StatusPill label={label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}

/** The page title contains the status, so that the browser tab shows when the prediction has finished. */
export function predictionTitle(
  t: Words<"predictions">,
  states: Words<"states">,
  prediction: Pick<Prediction, "id" | "status">,
): string {
  const { label } = predictionLook(states, prediction.status);
  return t("titleOfPrediction", { status: label, id: shortenId(prediction.id) });
}
