import {
  OperatorUsageExportQuery,
  OperatorUsageLines,
  OperatorUsageLinesQuery,
  OperatorUsageList,
  OperatorUsageQuery,
} from "../operator/usage.ts";
import { bytesOf } from "./answers.ts";
import type { Routes } from "./route.ts";

export const operatorUsageRoutes = {
  "GET /operator/usage": {
    summary: "Read the usage of all accounts, its cost and what they pay",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorUsageQuery,
    answers: { 200: OperatorUsageList },
  },
  "GET /operator/usage/export": {
    summary: "Download the usage of all accounts as a table",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorUsageExportQuery,
    otherAnswers: { 200: bytesOf("text/csv", "A table with the sums of each UTC day") },
  },
  "GET /operator/usage/lines": {
    summary: "List the lines behind a sum, oldest first",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: OperatorUsageLinesQuery,
    answers: { 200: OperatorUsageLines },
  },
} as const satisfies Routes;
