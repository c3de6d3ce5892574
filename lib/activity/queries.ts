import type { ActivityGroup, ActivityList } from "#contract/activity.ts";
import { type ActivitySpan, spanBounds } from "./spans.ts";

/** The data of the Activity page for one span. */
export interface Activity {
  span: ActivitySpan;
  by: ActivityGroup;
  runs: ActivityList;
  groups: ActivityList;
  /** Null for people without the permission to read deliveries. */
  deliveries: ActivityList | null;
}

/** The queries of the Activity page. */
export function activityQueries(span: ActivitySpan, by: ActivityGroup, nowMs: number) {
  const bounds = spanBounds(span, nowMs);
  return {
    runs: bounds,
    groups: { ...bounds, group_by: by },
    deliveries: { ...bounds, of: "deliveries" as const },
  };
}
