/** The constants of predictions, without their schemas, which pages do not need. */

export const predictionStatuses = ["starting", "processing", "succeeded", "failed", "canceled"] as const;
export type PredictionStatus = (typeof predictionStatuses)[number];

/** What may follow each status; an empty list is terminal. */
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

/** One row per real transition; the console's timeline is drawn from these. */
export const timelineEvents = [
  "accepted",
  "queued",
  "started",
  "provider_accepted",
  "output_stored",
  "succeeded",
  "failed",
  "canceled",
  "event_emitted",
  "data_removed",
] as const;
export type TimelineEventName = (typeof timelineEvents)[number];
