import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CirclePause,
  Hourglass,
  LoaderCircle,
  TriangleAlert,
} from "lucide-react";
import type { Destination } from "#contract/copies.ts";
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

const looks: Record<string, StatusLook> = {
  active: {
    label: "Active",
    tone: "good",
    icon: CircleCheck,
    meaning: "Files can be copied to this destination",
  },
  paused: {
    label: "Paused",
    tone: "warn",
    icon: CirclePause,
    meaning: "No file is copied until somebody resumes the destination",
  },
};

const failing: StatusLook = {
  label: "Failing",
  tone: "bad",
  icon: TriangleAlert,
  meaning: "The latest attempt failed",
};

/** The look of a destination. A failed latest attempt shows, too. */
export function destinationLook({
  status,
  last_error,
}: Pick<Destination, "status" | "last_error">): StatusLook {
  if (status === "active" && last_error) return failing;
  return knownOr(looks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}
