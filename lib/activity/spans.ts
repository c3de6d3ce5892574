import type { ActivityGroup, ActivityList } from "#contract/activity.ts";

/** The spans that the page offers, each with the length of its steps. */
const activitySpans = {
  "1h": { step: "minute", steps: 60 },
  "6h": { step: "minute", steps: 360 },
  "24h": { step: "hour", steps: 24 },
  "7d": { step: "hour", steps: 168 },
  "30d": { step: "day", steps: 30 },
} as const;

export type ActivitySpan = keyof typeof activitySpans;

export const activitySpanNames = Object.keys(activitySpans) as ActivitySpan[];

/** What the page shows without a choice in its address. */
export const usualActivity = { span: "24h", by: "model" } as const;

export const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export type Step = keyof typeof stepMs;

/** The start and end of a span. Its last step is the current one. */
export function spanBounds(span: ActivitySpan, nowMs: number): { from: string; to: string; step: Step } {
  const { step, steps } = activitySpans[span];
  const end = (Math.floor(nowMs / stepMs[step]) + 1) * stepMs[step];
  return {
    from: new Date(end - steps * stepMs[step]).toISOString(),
    to: new Date(end).toISOString(),
    step,
  };
}

/** The start and end, and the longest step that still gives about twenty bars. */
export function stepsFor(fromMs: number, toMs: number): { from: string; to: string; step: Step } {
  const step = (["day", "hour"] as const).find((one) => (toMs - fromMs) / stepMs[one] >= 20) ?? "minute";
  const from = Math.floor(fromMs / stepMs[step]) * stepMs[step];
  const to = Math.ceil(toMs / stepMs[step]) * stepMs[step];
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), step };
}

/** The data of the Activity page for one span. */
export interface Activity {
  span: ActivitySpan;
  by: ActivityGroup;
  runs: ActivityList;
  groups: ActivityList;
  /** Null for people without the permission to read deliveries. */
  deliveries: ActivityList | null;
}

/** The queries of the Activity page. */
export function activityQueries(span: ActivitySpan, by: ActivityGroup, nowMs: number) {
  const bounds = spanBounds(span, nowMs);
  return {
    runs: bounds,
    groups: { ...bounds, group_by: by },
    deliveries: { ...bounds, of: "deliveries" as const },
  };
}
