import { createLoader, parseAsStringLiteral } from "nuqs/server";
import { activitySpanNames } from "@/lib/activity/spans";

export const activityGroupings = ["model", "key", "member", "provider", "region", "status", "code"] as const;

/** How far back the figures go, and what the table below the charts is grouped by. */
export const activitySearch = {
  span: parseAsStringLiteral(activitySpanNames).withDefault("24h"),
  by: parseAsStringLiteral(activityGroupings).withDefault("model"),
};
export const loadActivitySearch = createLoader(activitySearch);
