import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleStop,
  CircleX,
  LoaderCircle,
} from "lucide-react";
import type { BatchRowStatus, BatchStatus } from "#contract/batch-constants.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface BatchLook extends StatusLook {
  canPause: boolean;
  canResume: boolean;
  canStop: boolean;
}

const nothing = { canPause: false, canResume: false, canStop: false };

const batchLooks: Record<BatchStatus, BatchLook> = {
  running: {
    label: "Running",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "The rows keep running, even if you close this page",
    ...nothing,
    canPause: true,
    canStop: true,
  },
  paused: {
    label: "Paused",
    tone: "warn",
    icon: CirclePause,
    meaning: "No new row starts until you resume the batch",
    ...nothing,
    canResume: true,
    canStop: true,
  },
  stopping: {
    label: "Stopping",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "No new row starts; rows that are running finish",
    ...nothing,
  },
  stopped: {
    label: "Stopped",
    tone: "gone",
    icon: CircleStop,
    meaning: "Rows that had not started were canceled",
    ...nothing,
  },
  finished: {
    label: "Finished",
    tone: "good",
    icon: CircleCheck,
    meaning: "Every row has ended",
    ...nothing,
  },
};

/** The look and actions of a batch status. An unknown status is neutral, with its raw text. */
export function batchLook(status: string): BatchLook {
  return knownOr(batchLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
    ...nothing,
  });
}

const rowLooks: Record<BatchRowStatus, StatusLook> = {
  queued: { label: "Queued", tone: "waiting", icon: CircleDashed, meaning: "Not started yet" },
  running: { label: "Running", tone: "busy", icon: LoaderCircle, meaning: "Running now" },
  succeeded: { label: "Succeeded", tone: "good", icon: CircleCheck, meaning: "The result is ready" },
  failed: {
    label: "Failed",
    tone: "bad",
    icon: CircleX,
    meaning: "The row failed; see the error",
  },
  canceled: { label: "Canceled", tone: "gone", icon: Ban, meaning: "The batch was stopped before it ran" },
};

export function batchRowLook(status: string): StatusLook {
  return knownOr(rowLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}
