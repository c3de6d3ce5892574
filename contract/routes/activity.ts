import { ActivityList, ActivityQuery, OperatorActivityQuery } from "../activity.ts";
import type { Routes } from "./route.ts";

export const activityRoutes = {
  "GET /activity": {
    summary: "Read figures over time",
    permission: "requests:read",
    extension: true,
    fromBrowser: true,
    query: ActivityQuery,
    answers: { 200: ActivityList },
  },
} as const satisfies Routes;

export const operatorActivityRoutes = {
  "GET /operator/activity": {
    summary: "Read figures over time of all accounts together",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorActivityQuery,
    answers: { 200: ActivityList },
  },
} as const satisfies Routes;
