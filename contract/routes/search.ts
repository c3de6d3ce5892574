import { SearchAnswer, SearchQuery } from "../search.ts";
import type { Routes } from "./route.ts";

/** Each group is searched only for callers who may read it. */
export const searchRoutes = {
  "GET /search": {
    summary: "Search the account's resources by words",
    extension: true,
    fromBrowser: true,
    query: SearchQuery,
    answers: { 200: SearchAnswer },
  },
} as const satisfies Routes;
