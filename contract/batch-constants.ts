import type { ApiType } from "./catalog-constants.ts";

/** The constants of batches, separate from the schemas because pages do not need those. */

/** `table`: many inputs for one operation; `comparison`: one input for several models, one row per model. */
export const batchKinds = ["table", "comparison"] as const;
export type BatchKind = (typeof batchKinds)[number];

/** The endpoints that OpenAI's batches may call, each with the operation that runs its requests. */
export const openAiEndpoints = {
  "/v1/chat/completions": "chat-completions",
  "/v1/responses": "chat-completions",
  "/v1/embeddings": "embeddings",
  "/v1/images/generations": "image-generation",
  "/v1/images/edits": "image-editing",
} as const satisfies Record<string, ApiType>;
export type OpenAiEndpoint = keyof typeof openAiEndpoints;

/**
 * `stopping`: nothing new starts, running rows finish. `paused` has a reason if the gateway paused the batch:
 * a budget or the account's storage is used up.
 */
export const batchStatuses = ["running", "paused", "stopping", "stopped", "finished"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** The allowed next statuses. Retrying failed rows makes a finished batch run again. */
export const batchTransitions: Record<BatchStatus, readonly BatchStatus[]> = {
  running: ["paused", "stopping", "stopped", "finished"],
  paused: ["running", "stopping", "stopped", "finished"],
  stopping: ["stopped"],
  stopped: ["running"],
  finished: ["running"],
};

export const batchRowStatuses = ["queued", "running", "succeeded", "failed", "canceled"] as const;
export type BatchRowStatus = (typeof batchRowStatuses)[number];

/** The allowed next statuses. A row returns to `queued` when it is retried or cannot start yet. */
export const batchRowTransitions: Record<BatchRowStatus, readonly BatchRowStatus[]> = {
  queued: ["running", "failed", "canceled"],
  running: ["queued", "succeeded", "failed", "canceled"],
  succeeded: [],
  failed: ["queued"],
  canceled: ["queued"],
};

/** Whether nothing in the batch is running or waiting. */
export function hasBatchEnded(status: string): boolean {
  return status === "finished" || status === "stopped";
}

export const batchLimits = {
  maxRows: 1000,
  /** Models in a comparison: more do not fit side by side. */
  maxCompared: 8,
  /** Names of fields, over all rows. */
  maxColumns: 500,
  columnMaxLength: 100,
  /** Fields unknown to the model: a batch lists only this many. */
  maxIgnored: 50,
  /** Of a request body or an uploaded file. */
  maxBytes: 16_000_000,
  concurrency: { min: 1, max: 20, default: 4 },
  nameMaxLength: 100,
  /** Faults listed in one answer; the rest are only counted. */
  maxFaults: 200,
  /** Files that a list shows of each batch. */
  maxPictures: 3,
  /** Unfinished batches per account. */
  maxOpen: 50,
  /** Batches per account whose inputs and outputs are still stored. */
  maxWithData: 1_000,
  /** Batches per account kept as history. */
  maxHistory: 1_000,
  /** After this, an unfinished batch is stopped. */
  maxDays: 7,
  /** The same for a batch of OpenAI's shape, which promises it. */
  openAiHours: 24,
  /** Of a line in a file of OpenAI's shape. */
  maxLineBytes: 4_000_000,
} as const;
