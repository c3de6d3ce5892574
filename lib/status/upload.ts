import { CircleCheck, CircleHelp, CircleX, Clock, FileCheck, Hourglass } from "lucide-react";
import type { UploadStatus } from "#contract/upload.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface UploadLook extends StatusLook {
  canVerify: boolean;
  /** An operation may use it as `upload://…`. */
  usable: boolean;
}

export const uploadLooks: Record<UploadStatus, UploadLook> = {
  pending: {
    label: "Waiting for bytes",
    tone: "waiting",
    icon: Hourglass,
    meaning: "The file has not been sent to its signed URL yet",
    canVerify: false,
    usable: false,
  },
  uploaded: {
    label: "Uploaded",
    tone: "busy",
    icon: FileCheck,
    meaning: "The bytes are stored; they must be verified before use",
    canVerify: true,
    usable: false,
  },
  verified: {
    label: "Verified",
    tone: "good",
    icon: CircleCheck,
    meaning: "Size, type and checksum agree; it can be used",
    canVerify: false,
    usable: true,
  },
  rejected: {
    label: "Rejected",
    tone: "bad",
    icon: CircleX,
    meaning: "The bytes were not what was declared; they are removed",
    canVerify: false,
    usable: false,
  },
  expired: {
    label: "Expired",
    tone: "gone",
    icon: Clock,
    meaning: "Its time is over; the bytes are removed",
    canVerify: false,
    usable: false,
  },
};

/** How an upload's status looks and what it allows; an unknown one is neutral, in its own words. */
export function uploadLook(status: string): UploadLook {
  return knownOr(uploadLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "A status this console does not know",
    canVerify: false,
    usable: false,
  });
}
