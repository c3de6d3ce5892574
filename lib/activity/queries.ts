import type { ActivityGroup, ActivityList } from "#contract/activity.ts";
import { type ActivitySpan, spanBounds } from "./spans.ts";

/** What the page shows of one span. */
export interface Activity {
  span: ActivitySpan;
  by: ActivityGroup;
  runs: ActivityList;
  groups: ActivityList;
  /** Null for those who may not read deliveries. */
  deliveries: ActivityList | null;
}

/** What the page asks for. */
export function activityQueries(span: ActivitySpan, by: ActivityGroup, nowMs: number) {
  const bounds = spanBounds(span, nowMs);
  return {
    runs: bounds,
    groups: { ...bounds, group_by: by },
    deliveries: { ...bounds, of: "deliveries" as const },
  };
}
