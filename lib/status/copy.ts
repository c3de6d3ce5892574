import { CircleAlert, CircleCheck, CirclePause, Hourglass, LoaderCircle, TriangleAlert } from "lucide-react";
import type { Destination } from "#contract/copies.ts";
import type { CopyStatus, DestinationStatus } from "#contract/copy-constants.ts";
import type { Words } from "../../messages/words.ts";
import { type State, type StatusLook, statesOf } from "./status-look.ts";

interface CopyRules {
  canRetry: boolean;
  /** The status may still change without a person. */
  open: boolean;
}

const copies: Record<CopyStatus, State & CopyRules> = {
  pending: {
    label: "copyPending",
    tone: "waiting",
    icon: Hourglass,
    meaning: "copyPendingMeaning",
    canRetry: false,
    open: true,
  },
  copying: {
    label: "copyCopying",
    tone: "busy",
    icon: LoaderCircle,
    meaning: "copyCopyingMeaning",
    canRetry: false,
    open: true,
  },
  succeeded: {
    label: "copySucceeded",
    tone: "good",
    icon: CircleCheck,
    meaning: "copySucceededMeaning",
    canRetry: false,
    open: false,
  },
  failed: {
    label: "copyFailed",
    tone: "bad",
    icon: CircleAlert,
    meaning: "copyFailedMeaning",
    canRetry: true,
    open: false,
  },
};

export const {
  look: copyLook,
  rules: copyRules,
  options: copyOptions,
} = statesOf<CopyRules>(copies, { canRetry: false, open: false });

const destinations = statesOf(
  {
    active: {
      label: "destinationActive",
      tone: "good",
      icon: CircleCheck,
      meaning: "destinationActiveMeaning",
    },
    paused: {
      label: "destinationPaused",
      tone: "warn",
      icon: CirclePause,
      meaning: "destinationPausedMeaning",
    },
    failing: {
      label: "destinationFailing",
      tone: "bad",
      icon: TriangleAlert,
      meaning: "destinationFailingMeaning",
    },
  } satisfies Record<DestinationStatus | "failing", State>,
  {},
);

/** The look of a destination. A failed latest attempt shows, too. */
export function destinationLook(
  t: Words<"states">,
  { status, last_error }: Pick<Destination, "status" | "last_error">,
): StatusLook {
  return destinations.look(t, status === "active" && last_error ? "failing" : status);
}
