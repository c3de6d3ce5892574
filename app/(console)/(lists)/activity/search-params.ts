import { createLoader, parseAsStringLiteral } from "nuqs/server";
import { activitySpanNames, usualActivity } from "@/lib/activity/spans";

export const activityGroupings = ["model", "key", "member", "provider", "region", "status", "code"] as const;

/** The period of the figures, and the grouping of the table below the charts. */
export const activitySearch = {
  span: parseAsStringLiteral(activitySpanNames).withDefault(usualActivity.span),
  by: parseAsStringLiteral(activityGroupings).withDefault(usualActivity.by),
};
export const loadActivitySearch = createLoader(activitySearch);
