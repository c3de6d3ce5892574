import { type RouteReason, usualRouteReasons } from "#contract/operator/constants.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";

/** When the next route is asked after this one. */
export function goOnWhenOf({
  go_on_when: reasons,
  next_after_500: nextAfter500,
}: Pick<RouteEntry, "go_on_when" | "next_after_500">): readonly RouteReason[] {
  if (reasons) return reasons;
  return nextAfter500 ? [...usualRouteReasons, "failed"] : usualRouteReasons;
}
