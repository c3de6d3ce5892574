import { CircleCheck, CircleHelp, CircleX, Clock, FileCheck, Hourglass } from "lucide-react";
import type { UploadStatus } from "#contract/upload.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

interface UploadLook extends StatusLook {
  canVerify: boolean;
  /** True when operations accept the upload as `upload://…`. */
  usable: boolean;
}

export const uploadLooks: Record<UploadStatus, UploadLook> = {
  pending: {
    label: "Waiting for file",
    tone: "waiting",
    icon: Hourglass,
    meaning: "The file has not been uploaded yet",
    canVerify: false,
    usable: false,
  },
  uploaded: {
    label: "Uploaded",
    tone: "busy",
    icon: FileCheck,
    meaning: "The file is stored and must be verified before use",
    canVerify: true,
    usable: false,
  },
  verified: {
    label: "Verified",
    tone: "good",
    icon: CircleCheck,
    meaning: "Size, type and checksum match; ready to use",
    canVerify: false,
    usable: true,
  },
  rejected: {
    label: "Rejected",
    tone: "bad",
    icon: CircleX,
    meaning: "The file did not match its declared size, type or checksum and was removed",
    canVerify: false,
    usable: false,
  },
  expired: {
    label: "Expired",
    tone: "gone",
    icon: Clock,
    meaning: "Expired: the file was removed",
    canVerify: false,
    usable: false,
  },
};

/** The look and actions of an upload status. An unknown status is neutral, with its raw text. */
export function uploadLook(status: string): UploadLook {
  return knownOr(uploadLooks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
    canVerify: false,
    usable: false,
  });
}
