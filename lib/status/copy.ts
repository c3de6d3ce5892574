import { CircleAlert, CircleCheck, CircleHelp, Hourglass, LoaderCircle } from "lucide-react";
import type { CopyStatus } from "#contract/copy-constants.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface CopyLook extends StatusLook {
  canRetry: boolean;
  /** The status may still change without a person. */
  open: boolean;
}

export const copyLooks: Record<CopyStatus, CopyLook> = {
  pending: {
    label: "Waiting",
    tone: "waiting",
    icon: Hourglass,
    meaning: "The file will be copied soon, or tried again after a failure",
    canRetry: false,
    open: true,
  },
  copying: {
    label: "Copying",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "The file is being copied",
    canRetry: false,
    open: true,
  },
  succeeded: {
    label: "Copied",
    tone: "good",
    icon: CircleCheck,
    meaning: "The file is in the bucket, byte for byte",
    canRetry: false,
    open: false,
  },
  failed: {
    label: "Failed",
    tone: "bad",
    icon: CircleAlert,
    meaning: "All attempts failed. Retry the copy by hand",
    canRetry: true,
    open: false,
  },
};

/** The look and actions of a copy's status. An unknown status is neutral, with its raw text. */
export function copyLook(status: string): CopyLook {
  return knownOr(copyLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
    canRetry: false,
    open: false,
  });
}
