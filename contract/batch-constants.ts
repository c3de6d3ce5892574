/** The constants of batches, without their schemas, which pages do not need. */

/** `table`: many inputs of one operation; `comparison`: one input on several models, a row for each. */
export const batchKinds = ["table", "comparison"] as const;
export type BatchKind = (typeof batchKinds)[number];

/**
 * `stopping`: nothing more starts, rows under way end. `paused` has a reason when the gateway paused it: a budget or the
 * account's storage is used up.
 */
export const batchStatuses = ["running", "paused", "stopping", "stopped", "finished"] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** What may follow each status. Running failed rows again makes a batch that has ended run again. */
export const batchTransitions: Record<BatchStatus, readonly BatchStatus[]> = {
  running: ["paused", "stopping", "stopped", "finished"],
  paused: ["running", "stopping", "stopped", "finished"],
  stopping: ["stopped"],
  stopped: ["running"],
  finished: ["running"],
};

export const batchRowStatuses = ["queued", "running", "succeeded", "failed", "canceled"] as const;
export type BatchRowStatus = (typeof batchRowStatuses)[number];

/** What may follow each status: a row goes back to `queued` when it is run again, or could not start yet. */
export const batchRowTransitions: Record<BatchRowStatus, readonly BatchRowStatus[]> = {
  queued: ["running", "failed", "canceled"],
  running: ["queued", "succeeded", "failed", "canceled"],
  succeeded: [],
  failed: ["queued"],
  canceled: ["queued"],
};

/** Whether nothing of the batch runs or waits any more. */
export function hasBatchEnded(status: string): boolean {
  return status === "finished" || status === "stopped";
}

export const batchLimits = {
  maxRows: 1000,
  /** Models of a comparison: more do not fit side by side. */
  maxCompared: 8,
  /** Names of fields, of all rows together. */
  maxColumns: 500,
  columnMaxLength: 100,
  /** Fields that the model does not have, as a batch lists them; of more only the first are named. */
  maxIgnored: 50,
  /** Of the body of a request, and of an uploaded file. */
  maxBytes: 16_000_000,
  concurrency: { min: 1, max: 20, default: 4 },
  nameMaxLength: 100,
  /** Faults that one answer lists; the others are only counted. */
  maxFaults: 200,
  /** Batches of an account that have not ended. */
  maxOpen: 50,
  /** Batches of an account whose inputs and outputs are still there. */
  maxWithData: 1_000,
  /** Batches of an account that are kept as history. */
  maxHistory: 1_000,
  /** A batch that has not ended then is stopped. */
  maxDays: 7,
} as const;
