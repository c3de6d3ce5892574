import type { ApiType } from "./catalog-constants.ts";

/** The constants of batches. They are apart from the schemas because pages do not need the schemas. */

/** `table`: many inputs for one operation; `comparison`: one input for several models, one row per model. */
export const batchKinds = ["table", "comparison"] as const;
export type BatchKind = (typeof batchKinds)[number];

/** The endpoints that a batch in OpenAI's shape may call, each with the operation that runs its requests. */
export const openAiEndpoints = {
  "/v1/chat/completions": "chat-completions",
  "/v1/responses": "chat-completions",
  "/v1/embeddings": "embeddings",
  "/v1/images/generations": "image-generation",
  "/v1/images/edits": "image-editing",
} as const satisfies Record<string, ApiType>;
export type OpenAiEndpoint = keyof typeof openAiEndpoints;

/**
 * `stopping`: no new row starts, running rows finish. `paused` has a reason when the gateway paused the batch
 * because a budget or the account's storage is used up.
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

/** Whether no row of the batch is running or waiting. */
export function hasBatchEnded(status: string): boolean {
  return status === "finished" || status === "stopped";
}

export const batchLimits = {
  maxRows: 1000,
  /** Most lines in a source of rows, empty ones included; in CSV: most records. */
  maxLines: 100_000,
  /** Most models in a comparison. More columns do not fit side by side. */
  maxCompared: 8,
  /** Most names of input fields in a batch, over all rows. */
  maxColumns: 500,
  columnMaxLength: 100,
  /** Most fields that a batch lists as unknown to the model. */
  maxIgnored: 50,
  /** Largest size of a request body or an uploaded file. */
  maxBytes: 16_000_000,
  concurrency: { min: 1, max: 20, default: 4 },
  nameMaxLength: 100,
  /** Faults listed in one answer. Further faults are only counted. */
  maxFaults: 200,
  /** Files that a list shows of each batch. */
  maxPictures: 3,
  /** Unfinished batches per account. */
  maxOpen: 50,
  /** Batches per account with stored inputs and outputs. */
  maxWithData: 1_000,
  /** Batches per account in the history, after their inputs and outputs were removed. */
  maxHistory: 1_000,
  /** An unfinished batch is stopped after this time. */
  maxDays: 7,
  /**
   * An unfinished batch in OpenAI's shape is stopped after this time, because OpenAI's API promises 24 hours.
   */
  openAiHours: 24,
  /** Longest line in a file of OpenAI's shape. */
  maxLineBytes: 4_000_000,
} as const;
