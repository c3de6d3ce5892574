import { Deleted, NoQuery } from "../list.ts";
import {
  KeepRequest,
  KeptLabels,
  Output,
  OutputCheck,
  OutputCheckRequest,
  OutputDetail,
  OutputList,
  OutputQuery,
} from "../outputs.ts";
import type { Routes } from "./route.ts";

/** The files that runs made, and the copies of them in the library (extensions). */
export const libraryRoutes = {
  "GET /outputs": {
    summary: "List stored or kept output files, with their provenance",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: OutputQuery,
    answers: { 200: OutputList },
  },
  "GET /outputs/labels": {
    summary: "List the labels of kept files, most used first",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: KeptLabels },
  },
  "GET /outputs/{id}": {
    summary: "Read an output; for a kept one, with the input of its run",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: OutputDetail },
  },
  "POST /outputs/{id}/keep": {
    summary: "Keep an output in the library, or change its labels and retention",
    permission: "outputs:keep",
    extension: true,
    byClick: true,
    body: KeepRequest,
    answers: { 200: Output },
  },
  "DELETE /outputs/{id}/keep": {
    summary: "Remove an output from the library",
    permission: "outputs:keep",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

/** Facts about any file (extensions). */
export const outputRoutes = {
  "POST /outputs/verify": {
    summary: "Check a file: read its Content Credentials and find out whether this account made it",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    body: OutputCheckRequest,
    answers: { 200: OutputCheck },
  },
} as const satisfies Routes;
