import { RequestList, RequestQuery, UsageList, UsageQuery } from "../usage.ts";
import type { Routes } from "./route.ts";

export const usageRoutes = {
  "GET /usage": {
    summary: "Read metered usage",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: UsageQuery,
    answers: { 200: UsageList },
  },
  "GET /requests": {
    summary: "Read the request log",
    permission: "requests:read",
    extension: true,
    fromBrowser: true,
    query: RequestQuery,
    answers: { 200: RequestList },
  },
} as const satisfies Routes;
