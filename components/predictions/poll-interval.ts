import type { Prediction } from "#contract/prediction.ts";
import { isTerminal } from "#contract/prediction-constants.ts";

const minuteMs = 60_000;

/** How often to read an unfinished prediction again, by its age, so that short runs feel live. */
const steps = [
  { youngerThanMs: minuteMs, everyMs: 2_000 },
  { youngerThanMs: 10 * minuteMs, everyMs: 5_000 },
  { youngerThanMs: Number.POSITIVE_INFINITY, everyMs: 10_000 },
];

/** Milliseconds until the next read, or false if nothing can change any more. */
export function pollInterval(prediction: Prediction | undefined, nowMs: number): number | false {
  if (!prediction) return false;
  const over = isTerminal(prediction.status) || prediction.completed_at !== null;
  if (over) return isRemovalDue(prediction, nowMs) ? 10_000 : false;
  const ageMs = nowMs - Date.parse(prediction.created_at);
  return steps.find((step) => ageMs < step.youngerThanMs)?.everyMs ?? 10_000;
}

/** The files have expired, but the gateway has not yet reported their removal. */
function isRemovalDue(prediction: Prediction, nowMs: number): boolean {
  return (
    !prediction.data_removed && prediction.expires_at !== null && Date.parse(prediction.expires_at) <= nowMs
  );
}
