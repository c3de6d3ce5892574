import { Type } from "typebox";
import {
  Batch,
  BatchCheck,
  BatchCheckRequest,
  BatchCreate,
  BatchList,
  BatchQuery,
  BatchRetry,
  BatchRowList,
  BatchRowQuery,
} from "../batches.ts";
import { bytesOf } from "./answers.ts";
import type { Routes } from "./route.ts";

export const batchRoutes = {
  "POST /batches/check": {
    summary: "Check the inputs of a batch without running it",
    permission: "operations:run",
    extension: true,
    asMuchAsOperation: true,
    fromBrowser: true,
    body: BatchCheckRequest,
    answers: { 200: BatchCheck },
  },
  "POST /batches": {
    summary: "Start a batch",
    permission: "operations:run",
    extension: true,
    asMuchAsOperation: true,
    idempotent: true,
    fromBrowser: true,
    body: BatchCreate,
    answers: { 202: Batch },
  },
  "GET /batches": {
    summary: "List batches",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: BatchQuery,
    answers: { 200: BatchList },
  },
  "GET /batches/{id}": {
    summary: "Read a batch",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    answers: { 200: Batch },
  },
  "GET /batches/{id}/rows": {
    summary: "List the rows of a batch",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    query: BatchRowQuery,
    answers: { 200: BatchRowList },
  },
  "GET /batches/{id}/results.csv": {
    summary: "Download the results as a table",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    otherAnswers: { 200: bytesOf("text/csv", "The inputs, and the results beside them") },
  },
  "GET /batches/{id}/results.zip": {
    summary: "Download the media with a manifest",
    permission: "predictions:read",
    extension: true,
    fromBrowser: true,
    otherAnswers: { 200: bytesOf("application/zip", "The media, results.csv and manifest.json") },
  },
  "POST /batches/{id}/pause": {
    summary: "Pause a batch",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: Batch },
  },
  "POST /batches/{id}/resume": {
    summary: "Resume a paused batch",
    permission: "operations:run",
    extension: true,
    answers: { 200: Batch },
  },
  "POST /batches/{id}/stop": {
    summary: "Stop a batch",
    permission: "predictions:cancel",
    extension: true,
    answers: { 200: Batch },
  },
  "POST /batches/{id}/retry_failed": {
    summary: "Run the failed rows of a batch again",
    permission: "operations:run",
    extension: true,
    body: Type.Union([BatchRetry, Type.Null()]),
    answers: { 200: Batch },
  },
} as const satisfies Routes;
