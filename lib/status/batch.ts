import { Ban, CircleCheck, CircleDashed, CirclePause, CircleStop, CircleX, LoaderCircle } from "lucide-react";
import type { BatchRowStatus, BatchStatus } from "#contract/batch-constants.ts";
import { type State, statesOf } from "./status-look.ts";

interface BatchRules {
  canPause: boolean;
  canResume: boolean;
  canStop: boolean;
}

const nothing = { canPause: false, canResume: false, canStop: false };

const batches: Record<BatchStatus, State & BatchRules> = {
  running: {
    label: "batchRunning",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "batchRunningMeaning",
    ...nothing,
    canPause: true,
    canStop: true,
  },
  paused: {
    label: "batchPaused",
    tone: "warn",
    icon: CirclePause,
    meaning: "batchPausedMeaning",
    ...nothing,
    canResume: true,
    canStop: true,
  },
  stopping: {
    label: "batchStopping",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "batchStoppingMeaning",
    ...nothing,
  },
  stopped: {
    label: "batchStopped",
    tone: "gone",
    icon: CircleStop,
    meaning: "batchStoppedMeaning",
    ...nothing,
  },
  finished: {
    label: "batchFinished",
    tone: "good",
    icon: CircleCheck,
    meaning: "batchFinishedMeaning",
    ...nothing,
  },
};

export const {
  look: batchLook,
  rules: batchRules,
  options: batchOptions,
} = statesOf<BatchRules>(batches, nothing);

const rows: Record<BatchRowStatus, State> = {
  queued: { label: "rowQueued", tone: "waiting", icon: CircleDashed, meaning: "rowQueuedMeaning" },
  running: { label: "rowRunning", tone: "busy", icon: LoaderCircle, meaning: "rowRunningMeaning" },
  succeeded: { label: "rowSucceeded", tone: "good", icon: CircleCheck, meaning: "rowSucceededMeaning" },
  failed: {
    label: "rowFailed",
    tone: "bad",
    icon: CircleX,
    meaning: "rowFailedMeaning",
  },
  canceled: { label: "rowCanceled", tone: "gone", icon: Ban, meaning: "rowCanceledMeaning" },
};

export const { look: batchRowLook } = statesOf(rows, {});
