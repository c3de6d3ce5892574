import { Ban, CircleCheck, CircleDashed, CircleX, LoaderCircle } from "lucide-react";
import type { PredictionStatus } from "#contract/prediction.ts";
import { type State, statesOf } from "./status-look.ts";

interface PredictionRules {
  canCancel: boolean;
  /** The status is final, so polling stops. */
  terminal: boolean;
}

const predictions: Record<PredictionStatus, State & PredictionRules> = {
  starting: {
    label: "predictionStarting",
    tone: "waiting",
    icon: CircleDashed,
    meaning: "predictionStartingMeaning",
    canCancel: true,
    terminal: false,
  },
  processing: {
    label: "predictionProcessing",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "predictionProcessingMeaning",
    canCancel: true,
    terminal: false,
  },
  succeeded: {
    label: "predictionSucceeded",
    tone: "good",
    icon: CircleCheck,
    meaning: "predictionSucceededMeaning",
    canCancel: false,
    terminal: true,
  },
  failed: {
    label: "predictionFailed",
    tone: "bad",
    icon: CircleX,
    meaning: "predictionFailedMeaning",
    canCancel: false,
    terminal: true,
  },
  canceled: {
    label: "predictionCanceled",
    tone: "gone",
    icon: Ban,
    meaning: "predictionCanceledMeaning",
    canCancel: false,
    terminal: true,
  },
};

export const {
  look: predictionLook,
  rules: predictionRules,
  options: predictionOptions,
} = statesOf<PredictionRules>(predictions, { canCancel: false, terminal: false });
