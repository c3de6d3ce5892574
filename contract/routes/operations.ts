import { Type } from "typebox";
import { ApiType } from "../catalog.ts";
import type { Routes } from "./route.ts";

const run = { permission: "operations:run", idempotent: true } as const;
const runFromPage = { ...run, fromBrowser: true } as const;

/**
 * One route per kind of operation. The entries of the catalog describe the input and output of each
 * operation.
 */
export const operationRoutes = {
  "POST /chat/completions": { summary: "Chat", operation: "chat-completions", ...runFromPage },
  "POST /audio/speech": { summary: "Generate speech", operation: "text-to-speech", ...runFromPage },
  "POST /audio/transcriptions": {
    summary: "Transcribe audio",
    operation: "audio-transcription",
    ...runFromPage,
  },
  "POST /audio/voices": { summary: "Manage enrolled voices", operation: "voice-management", ...runFromPage },
  "POST /images/generations": { summary: "Generate images", operation: "image-generation", ...runFromPage },
  "POST /images/edits": { summary: "Edit images", operation: "image-editing", ...runFromPage },
  "POST /videos": { summary: "Generate a video", operation: "video-generation", ...runFromPage },
  "POST /videos/generations": {
    summary: "Generate a video; the same as POST /v1/videos",
    operation: "video-generation",
    ...run,
  },
  "POST /embeddings": { summary: "Embed texts", operation: "embeddings", extension: true, ...runFromPage },
  "POST /rerank": {
    summary: "Rank texts by their relevance to a query",
    operation: "rerank",
    extension: true,
    ...runFromPage,
  },
} as const satisfies Routes;

/** Runs any kind of operation, in Replicate's shape. */
export const genericRoutes = {
  "POST /models/{namespace}/{name}/predictions": {
    summary: "Run any operation in Replicate's shape",
    operation: "any",
    extension: true,
    ...runFromPage,
    query: Type.Object({ api_type: Type.Optional(ApiType) }, { additionalProperties: false }),
  },
  "POST /predictions": {
    summary: "Run the model that a version names, in Replicate's shape",
    operation: "any",
    extension: true,
    ...run,
  },
} as const satisfies Routes;
