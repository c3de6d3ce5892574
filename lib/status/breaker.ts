import { CircleCheck, CircleHelp, OctagonAlert, TriangleAlert } from "lucide-react";
import { byName } from "#contract/by-name.ts";
import type { DeploymentHealth } from "#contract/operator/health.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

const looks = byName<StatusLook>({
  healthy: { label: "Healthy", tone: "good", icon: CircleCheck, meaning: "The last calls succeeded" },
  degraded: {
    label: "Degraded",
    tone: "warn",
    icon: TriangleAlert,
    meaning: "Some of the last calls failed",
  },
  unhealthy: {
    label: "Unhealthy",
    tone: "bad",
    icon: OctagonAlert,
    meaning: "The last calls failed, so the gateway tries other providers first for a while",
  },
});

const failing: StatusLook = {
  label: "Failing",
  tone: "warn",
  icon: TriangleAlert,
  meaning: "The last call failed, and none has succeeded since",
};
const someFailed: StatusLook = {
  label: "Some errors",
  tone: "warn",
  icon: TriangleAlert,
  meaning: "The last call succeeded, but others in this period failed",
};
const unused: StatusLook = {
  label: "Not used yet",
  tone: "waiting",
  icon: CircleHelp,
  meaning: "No requests yet, so the health is unknown",
};

/**
 * The health of a model at a provider: by its circuit breaker and, while that is closed, by the last call and
 * errors. An unknown status is neutral.
 */
export function deploymentLook({
  breaker,
  last_success_at: success,
  last_failure: failure,
  errors,
}: Pick<DeploymentHealth, "breaker" | "last_success_at" | "last_failure" | "errors">): StatusLook {
  const isClosed = breaker.open_until === null && breaker.status !== "unhealthy";
  if (isClosed && failure && (success === null || success < failure.at)) return failing;
  if (isClosed && success === null) return unused;
  if (isClosed && errors > 0) return someFailed;
  return knownOr(looks, breaker.status, {
    label: breaker.status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: "Unknown status",
  });
}
