import { timeOfId } from "#contract/ids.ts";
import { countAttempt } from "#gateway/platform/figures/count.ts";
import { FigureSums } from "#gateway/platform/figures/sums.ts";
import type { AttemptResult } from "./attempt-result.ts";

/** Counts attempts, and of those that arrived how long after their event. */
export function figuresOfAttempts(results: readonly AttemptResult[]): FigureSums {
  const sums = new FigureSums();
  for (const { attempt, accountId, eventId } of results) {
    if (!attempt || accountId === undefined || eventId === undefined) continue;
    const startedAt = Date.parse(attempt.started_at);
    const answerMs = attempt.duration_ms;
    const arrivedAt = startedAt + (answerMs ?? 0);
    countAttempt(sums, accountId, startedAt, {
      code: attempt.error_code ?? "",
      answerMs,
      queueMs: attempt.succeeded ? arrivedAt - timeOfId(eventId) : null,
    });
  }
  return sums;
}
