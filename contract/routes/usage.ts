import { NoQuery } from "../list.ts";
import { RunCost } from "../money/cost.ts";
import {
  MetadataUsageList,
  MetadataUsageQuery,
  RequestDetail,
  RequestList,
  RequestQuery,
  UsageExportQuery,
  UsageList,
  UsageQuery,
} from "../usage.ts";
import { bytesOf } from "./answers.ts";
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
  "GET /usage/export": {
    summary: "Download usage and its cost as a table",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: UsageExportQuery,
    otherAnswers: { 200: bytesOf("text/csv", "A table with the sums of each UTC day") },
  },
  "GET /usage/metadata": {
    summary: "Read metered usage by the values of a metadata key",
    permission: "usage:read",
    extension: true,
    fromBrowser: true,
    query: MetadataUsageQuery,
    answers: { 200: MetadataUsageList },
  },
  "GET /runs/{id}/cost": {
    summary: "Read how the cost of a run was calculated",
    permission: "usage:own",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: RunCost },
  },
  "GET /requests": {
    summary: "Read the request log",
    permission: "requests:read",
    extension: true,
    fromBrowser: true,
    query: RequestQuery,
    answers: { 200: RequestList },
  },
  "GET /requests/{id}": {
    summary: "Read a request and the progress of its run",
    permission: "requests:read",
    extension: true,
    answers: { 200: RequestDetail },
  },
} as const satisfies Routes;
