import { CircleCheck, CircleHelp, CirclePause, TriangleAlert } from "lucide-react";
import type { Destination } from "#contract/copies.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

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
