import { Ban, CircleCheck, CircleDashed, CircleHelp, CircleX, LoaderCircle } from "lucide-react";
import type { PredictionStatus } from "#contract/prediction.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface PredictionLook extends StatusLook {
  canCancel: boolean;
  /** Nothing changes any more: polling stops. */
  terminal: boolean;
}

export const predictionLooks: Record<PredictionStatus, PredictionLook> = {
  starting: {
    label: "Starting",
    tone: "waiting",
    icon: CircleDashed,
    meaning: "Accepted and queued; the provider has not taken it yet",
    canCancel: true,
    terminal: false,
  },
  processing: {
    label: "Processing",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "The provider works on it",
    canCancel: true,
    terminal: false,
  },
  succeeded: {
    label: "Succeeded",
    tone: "good",
    icon: CircleCheck,
    meaning: "Outputs are stored and can be fetched",
    canCancel: false,
    terminal: true,
  },
  failed: {
    label: "Failed",
    tone: "bad",
    icon: CircleX,
    meaning: "It ended without a result; the error says why",
    canCancel: false,
    terminal: true,
  },
  canceled: {
    label: "Canceled",
    tone: "gone",
    icon: Ban,
    meaning: "Stopped by the account",
    canCancel: false,
    terminal: true,
  },
};

/** How a prediction's status looks and what it allows; an unknown one is neutral, in its own words. */
export function predictionLook(status: string): PredictionLook {
  return knownOr(predictionLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "A status this console does not know",
    canCancel: false,
    terminal: false,
  });
}
