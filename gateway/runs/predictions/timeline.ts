import type { TimelineEvent, TimelineEventName } from "#contract/prediction.ts";
import { clock } from "#gateway/platform/core/clock.ts";

/** One row of a prediction's timeline; `at` defaults to now. */
export function timelineRow(
  event: TimelineEventName,
  detail: Record<string, unknown> | null = null,
  at: Date = clock.date(),
): TimelineEvent {
  return { at: at.toISOString(), event, detail };
}
