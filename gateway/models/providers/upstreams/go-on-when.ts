import type { ApiType } from "#contract/catalog-constants.ts";
import { type RouteReason, routeReasons, usualRouteReasons } from "#contract/operator/constants.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";

/** The failures after which the next route is tried, for operations of these kinds. */
export function goOnWhenOf(
  { go_on_when: reasons, next_after_500: nextAfter500 }: Pick<RouteEntry, "go_on_when" | "next_after_500">,
  kinds: readonly ApiType[],
): readonly RouteReason[] {
  if (reasons) return reasons;
  const usual = usualRouteReasons(kinds);
  return nextAfter500 ? routeReasons.filter((one) => one === "failed" || usual.includes(one)) : usual;
}
