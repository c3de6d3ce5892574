import { CircleCheck, CircleX, Clock, FileCheck, Hourglass } from "lucide-react";
import type { UploadStatus } from "#contract/upload.ts";
import { type State, statesOf } from "./status-look.ts";

interface UploadRules {
  canVerify: boolean;
  /** True when operations accept the upload as `upload://…`. */
  usable: boolean;
}

const uploads: Record<UploadStatus, State & UploadRules> = {
  pending: {
    label: "uploadPending",
    tone: "waiting",
    icon: Hourglass,
    meaning: "uploadPendingMeaning",
    canVerify: false,
    usable: false,
  },
  uploaded: {
    label: "uploadUploaded",
    tone: "busy",
    icon: FileCheck,
    meaning: "uploadUploadedMeaning",
    canVerify: true,
    usable: false,
  },
  verified: {
    label: "uploadVerified",
    tone: "good",
    icon: CircleCheck,
    meaning: "uploadVerifiedMeaning",
    canVerify: false,
    usable: true,
  },
  rejected: {
    label: "uploadRejected",
    tone: "bad",
    icon: CircleX,
    meaning: "uploadRejectedMeaning",
    canVerify: false,
    usable: false,
  },
  expired: {
    label: "uploadExpired",
    tone: "gone",
    icon: Clock,
    meaning: "uploadExpiredMeaning",
    canVerify: false,
    usable: false,
  },
};

export const {
  look: uploadLook,
  rules: uploadRules,
  options: uploadOptions,
} = statesOf<UploadRules>(uploads, { canVerify: false, usable: false });
