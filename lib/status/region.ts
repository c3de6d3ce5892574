import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from "lucide-react";
import { byName } from "#contract/by-name.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

const healthy: StatusLook = {
  label: "Healthy",
  tone: "good",
  icon: CircleCheck,
  meaning: "Requests are routed here",
};
const degraded: StatusLook = {
  label: "Degraded",
  tone: "warn",
  icon: TriangleAlert,
  meaning: "Some recent requests failed here",
};
const down: StatusLook = {
  label: "Down",
  tone: "bad",
  icon: CircleX,
  meaning: "No requests are routed here",
};

/**
 * States of regions and deployments. The catalog calls the worst one `unhealthy`, `/regions` calls it `down`.
 */
const looks = byName<StatusLook>({
  healthy,
  degraded,
  down,
  unhealthy: { ...down, label: "Unhealthy" },
});

/** The look of a region or deployment status. An unknown status is neutral, with its raw text. */
export function regionLook(status: string): StatusLook {
  return knownOr(looks, status, {
    label: status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}
