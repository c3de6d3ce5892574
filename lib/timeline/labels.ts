import { formatCountdown, formatDuration } from "../format.ts";
import { isOpen, rowSpan, type Segment, type TimelineRow, workMs } from "./row.ts";

/** `waits 40 s` or, while the wait lasts and its end is planned, `waits, 12 s left`. */
export function waitLabel(segment: Segment, nowMs: number): string {
  if (!segment.open) return `waits ${formatDuration(segment.endMs - segment.startMs)}`;
  const leftMs = segment.endMs - nowMs;
  return leftMs > 0
    ? `waits, ${formatCountdown(leftMs)} left`
    : `waiting for ${formatDuration(Math.max(0, nowMs - segment.startMs))}`;
}

/** The text at the right end of a row: a duration, or a moment's distance from the start. */
export function rowMeasure(row: TimelineRow, startMs: number, nowMs: number): string {
  const span = rowSpan(row);
  if (!span) return "";
  if (row.kind === "removal") {
    const leftMs = span.endMs - nowMs;
    return isOpen(row) && leftMs > 0 ? `in ${formatCountdown(leftMs)}` : atDistance(span.endMs - startMs);
  }
  if (row.kind === "delivery") return lastNote(row) ?? formatDuration(workMs(row));
  const lengthMs = workMs(row);
  return lengthMs > 0 || isOpen(row) ? formatDuration(lengthMs) : atDistance(span.startMs - startMs);
}

/** The whole row as a sentence, for screen readers. */
export function rowSentence(row: TimelineRow, startMs: number, nowMs: number): string {
  const parts = row.segments.map((segment) => {
    if (segment.kind === "wait") return waitLabel(segment, nowMs);
    if (segment.kind === "deadline") return segment.open ? "planned" : "done";
    const note = segment.note ? `${segment.note.replaceAll("_", " ")} ` : "";
    if (segment.kind === "moment") return `${note}${atDistance(segment.startMs - startMs)}`;
    const length = formatDuration(segment.endMs - segment.startMs);
    return `${note}${segment.open ? `for ${length} so far` : `took ${length}`}, ${atDistance(segment.startMs - startMs)}`;
  });
  return parts.join("; ");
}

function atDistance(ms: number): string {
  return ms < 1 ? "at the start" : `at +${formatDuration(ms)}`;
}

function lastNote(row: TimelineRow): string | null {
  return row.segments.findLast((segment) => segment.note !== null)?.note?.replaceAll("_", " ") ?? null;
}
