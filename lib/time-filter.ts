/** When the rows of a list were made, as the list's URL has it; an empty string is no filter. */
export interface TimeFilter {
  /** A key of `spans`, or empty. */
  since: string;
  /** RFC 3339; set by links and by the time fields, stronger than `since`. */
  created_after: string;
  created_before: string;
}

const hourMs = 3_600_000;

export const spans = new Map([
  ["1h", { label: "Last hour", ms: hourMs }],
  ["24h", { label: "Last 24 hours", ms: 24 * hourMs }],
  ["7d", { label: "Last 7 days", ms: 7 * 24 * hourMs }],
]);

/** A moving start is rounded down to this, so that the same page is asked for by the same query for a while. */
const spanStepMs = 60_000;

/** The bounds as the gateway's lists take them. */
export function timeBounds(
  { since, created_after, created_before }: TimeFilter,
  nowMs: number,
): { created_after?: string; created_before?: string } {
  const span = spans.get(since);
  const start = span
    ? new Date(Math.floor((nowMs - span.ms) / spanStepMs) * spanStepMs).toISOString()
    : undefined;
  const after = created_after || start;
  return { ...(after && { created_after: after }), ...(created_before && { created_before }) };
}
