import { OutputCheck, OutputCheckRequest, OutputList, OutputQuery } from "../outputs.ts";
import type { Routes } from "./route.ts";

/** The files that runs made (extensions). */
export const outputRoutes = {
  "GET /outputs": {
    summary: "List stored output files, with their provenance",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: OutputQuery,
    answers: { 200: OutputList },
  },
  "POST /outputs/verify": {
    summary: "Check a file: what its Content Credentials say, and whether this account made it",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    body: OutputCheckRequest,
    answers: { 200: OutputCheck },
  },
} as const satisfies Routes;
