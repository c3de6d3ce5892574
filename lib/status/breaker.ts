import { CircleCheck, CircleHelp, OctagonAlert, TriangleAlert } from "lucide-react";
import { byName } from "#contract/by-name.ts";
import type { DeploymentHealth } from "#contract/operator/health.ts";
import type { Words } from "../../messages/words.ts";
import { knownOr, type StatusLook } from "./status-look.ts";

/**
 * The health of a model at a provider: by its circuit breaker and, while that is closed, by the last call and
 * errors. An unknown status is neutral.
 */
export function deploymentLook(
  t: Words<"operatorHealth">,
  {
    breaker,
    last_success_at: success,
    last_failure: failure,
    errors,
  }: Pick<DeploymentHealth, "breaker" | "last_success_at" | "last_failure" | "errors">,
): StatusLook {
  const isClosed = breaker.open_until === null && breaker.status !== "unhealthy";
  if (isClosed && failure && (success === null || success < failure.at))
    return { label: t("failing"), tone: "warn", icon: TriangleAlert, meaning: t("failingMeaning") };
  if (isClosed && success === null)
    return { label: t("notUsedYet"), tone: "waiting", icon: CircleHelp, meaning: t("notUsedYetMeaning") };
  if (isClosed && errors > 0)
    return { label: t("someErrors"), tone: "warn", icon: TriangleAlert, meaning: t("someErrorsMeaning") };
  const looks = byName<StatusLook>({
    healthy: { label: t("healthy"), tone: "good", icon: CircleCheck, meaning: t("healthyMeaning") },
    degraded: { label: t("degraded"), tone: "warn", icon: TriangleAlert, meaning: t("degradedMeaning") },
    unhealthy: { label: t("unhealthy"), tone: "bad", icon: OctagonAlert, meaning: t("unhealthyMeaning") },
  });
  return knownOr(looks, breaker.status, {
    label: breaker.status,
    tone: "waiting",
    icon: CircleHelp,
    meaning: t("unknownStatus"),
  });
}
