import { byName } from "#contract/by-name.ts";

export type JobState = "queued" | "running" | "succeeded" | "failed" | "canceled";

/** All words that upstreams use for a job's state. */
const words = byName<JobState>({
  queued: "queued",
  pending: "queued",
  starting: "queued",
  in_queue: "queued",
  submitted: "queued",
  suspended: "queued",
  running: "running",
  processing: "running",
  in_progress: "running",
  succeeded: "succeeded",
  success: "succeeded",
  successful: "succeeded",
  completed: "succeeded",
  complete: "succeeded",
  done: "succeeded",
  finished: "succeeded",
  failed: "failed",
  failure: "failed",
  error: "failed",
  aborted: "failed",
  expired: "failed",
  timeout: "failed",
  unknown: "failed",
  canceled: "canceled",
  cancelled: "canceled",
});

/**
 * An unknown word counts as running: a wrong guess could end a job that still runs, and the deadline ends it
 * anyway.
 */
export function jobState(word: unknown): JobState {
  return words[String(word).toLowerCase()] ?? "running";
}
