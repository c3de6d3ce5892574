import { StatusPill } from "@/components/ui/status-pill";
import { predictionLook } from "@/lib/status/prediction";

/** The status of a prediction. An unknown status is neutral, with its raw text. */
export function PredictionStatus({ status, progress }: { status: string; progress?: number | null }) {
  const look = predictionLook(status);
  const label = status === "processing" && progress ? `${look.label} ${progress} %` : look.label;
  return <StatusPill label={label} tone={look.tone} icon={look.icon} title={look.meaning} />;
}
