import { CircleCheck, CircleHelp, OctagonAlert, TriangleAlert } from "lucide-react";
import { knownOr, type StatusLook } from "./status-look.ts";

const looks: Record<string, StatusLook> = {
  healthy: { label: "Healthy", tone: "good", icon: CircleCheck, meaning: "Its last calls were answered" },
  degraded: {
    label: "Degraded",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "Some of its last calls failed",
  },
  unhealthy: {
    label: "Unhealthy",
    tone: "bad",
    icon: OctagonAlert,
    meaning: "Its last calls failed: others are tried first until it is asked again",
  },
};

/** How a model at a provider does; an unknown status is neutral. */
export function breakerLook(status: string): StatusLook {
  return knownOr(looks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}
