/** The constants of predictions. They are apart from the schemas because pages do not need the schemas. */

export const predictionStatuses = ["starting", "processing", "succeeded", "failed", "canceled"] as const;
export type PredictionStatus = (typeof predictionStatuses)[number];

/** The statuses that may follow each status. A status with an empty list is final. */
export const predictionTransitions: Record<PredictionStatus, readonly PredictionStatus[]> = {
  starting: ["processing", "succeeded", "failed", "canceled"],
  processing: ["succeeded", "failed", "canceled"],
  succeeded: [],
  failed: [],
  canceled: [],
};

export function isTerminal(status: string): boolean {
  return status === "succeeded" || status === "failed" || status === "canceled";
}

/** One row per transition that took place. The console draws its timeline from these rows. */
export const timelineEvents = [
  "accepted",
  "queued",
  "started",
  "guard_answered",
  "provider_accepted",
  "output_stored",
  "succeeded",
  "failed",
  "canceled",
  "event_emitted",
  "data_removed",
] as const;
export type TimelineEventName = (typeof timelineEvents)[number];
