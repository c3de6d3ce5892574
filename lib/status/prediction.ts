import { Ban, CircleCheck, CircleDashed, CircleHelp, CircleX, LoaderCircle } from "lucide-react";
import type { PredictionStatus } from "#contract/prediction.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface PredictionLook extends StatusLook {
  canCancel: boolean;
  /** The status is final, so polling stops. */
  terminal: boolean;
}

export const predictionLooks: Record<PredictionStatus, PredictionLook> = {
  starting: {
    label: "Starting",
    tone: "waiting",
    icon: CircleDashed,
    meaning: "Queued: the provider has not started yet",
    canCancel: true,
    terminal: false,
  },
  processing: {
    label: "Processing",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "The provider is processing the input",
    canCancel: true,
    terminal: false,
  },
  succeeded: {
    label: "Succeeded",
    tone: "good",
    icon: CircleCheck,
    meaning: "Outputs are ready to download",
    canCancel: false,
    terminal: true,
  },
  failed: {
    label: "Failed",
    tone: "bad",
    icon: CircleX,
    meaning: "Failed without output; see the error",
    canCancel: false,
    terminal: true,
  },
  canceled: {
    label: "Canceled",
    tone: "gone",
    icon: Ban,
    meaning: "Canceled by a person or program in this account",
    canCancel: false,
    terminal: true,
  },
};

/** The look and actions of a prediction status. An unknown status is neutral, with its raw text. */
export function predictionLook(status: string): PredictionLook {
  return knownOr(predictionLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
    canCancel: false,
    terminal: false,
  });
}
