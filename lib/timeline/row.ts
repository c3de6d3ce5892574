import type { Words } from "../../messages/words.ts";
import { formatCountdown, formatDuration } from "../format.ts";
import type { Tone } from "../status/status-look.ts";
import { listText } from "../words/list-text.ts";

/** What a timeline says: its own words, and those of the errors of attempts. */
export interface TimelineWords {
  t: Words<"predictions">;
  webhooks: Words<"webhooks">;
}

/** A timeline: rows of segments on one time axis. This code only computes; components draw. */

/** `moment` has no length. `wait` is drawn thin. The others are bars. */
export type SegmentKind = "moment" | "queue" | "run" | "store" | "attempt" | "wait" | "deadline";

export interface Segment {
  kind: SegmentKind;
  startMs: number;
  /** For an open segment: now, or the planned end if there is one. */
  endMs: number;
  /** True when the segment has not ended. */
  open: boolean;
  tone: Tone;
  /** Shown beside the length, e.g. `503`. */
  note: string | null;
}

export type FactForm = "text" | "time" | "duration" | "bytes" | "id" | "code";

export interface Fact {
  label: string;
  /** Milliseconds for `duration`, a number for `bytes`, RFC 3339 for `time`, otherwise the text itself. */
  value: string | number;
  form: FactForm;
}

/** The subject of the row. Unknown events of a newer gateway are `other`. */
export type RowKind =
  | "accepted"
  | "queue"
  | "run"
  | "outputs"
  | "terminal"
  | "event"
  | "delivery"
  | "removal"
  | "other";

export interface TimelineRow {
  id: string;
  kind: RowKind;
  label: string;
  tone: Tone;
  segments: Segment[];
  facts: Fact[];
  /** Smaller rows that the user sees after opening this one, e.g. the attempts of a delivery. */
  children: TimelineRow[];
}

/** The milliseconds of a timestamp. Null if it is missing or unreadable. */
export function instant(value: string | null | undefined): number | null {
  if (!value) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

/** A point on the axis. */
export function moment(atMs: number, tone: Tone, note: string | null = null): Segment {
  return { kind: "moment", startMs: atMs, endMs: atMs, open: false, tone, note };
}

/** From the first start to the last end. */
export function rowSpan(row: TimelineRow): { startMs: number; endMs: number } | null {
  if (row.segments.length === 0) return null;
  return {
    startMs: Math.min(...row.segments.map((segment) => segment.startMs)),
    endMs: Math.max(...row.segments.map((segment) => segment.endMs)),
  };
}

/** The time covered by the row's bars, without waits and moments. */
export function workMs(row: TimelineRow): number {
  return row.segments.reduce(
    (sum, segment) =>
      segment.kind === "wait" || segment.kind === "deadline" ? sum : sum + (segment.endMs - segment.startMs),
    0,
  );
}

/** Whether a segment of the row has not ended. */
export function isOpen(row: TimelineRow): boolean {
  return row.segments.some((segment) => segment.open);
}

/** `waits 40 s` or, while the wait lasts and its end is planned, `waits, 12 s left`. */
export function waitLabel(t: Words<"predictions">, segment: Segment, nowMs: number): string {
  if (!segment.open)
    return t("waitsFor", { length: formatDuration(segment.endMs - segment.startMs, t.language) });
  const leftMs = segment.endMs - nowMs;
  return leftMs > 0
    ? t("waitsLeft", { left: formatCountdown(leftMs, t.language) })
    : t("waitingFor", { length: formatDuration(Math.max(0, nowMs - segment.startMs), t.language) });
}

/** The text at the right end of a row: a duration, or a moment's distance from the start. */
export function rowMeasure(
  t: Words<"predictions">,
  row: TimelineRow,
  startMs: number,
  nowMs: number,
): string {
  const span = rowSpan(row);
  if (!span) return "";
  if (row.kind === "removal") {
    const leftMs = span.endMs - nowMs;
    return isOpen(row) && leftMs > 0
      ? t("inLength", { length: formatCountdown(leftMs, t.language) })
      : atDistance(t, span.endMs - startMs);
  }
  if (row.kind === "delivery") return lastNote(row) ?? formatDuration(workMs(row), t.language);
  const lengthMs = workMs(row);
  return lengthMs > 0 || isOpen(row)
    ? formatDuration(lengthMs, t.language)
    : atDistance(t, span.startMs - startMs);
}

/** The whole row as a sentence, for screen readers. */
export function rowSentence(
  t: Words<"predictions">,
  row: TimelineRow,
  startMs: number,
  nowMs: number,
): string {
  const parts = row.segments.map((segment) => {
    if (segment.kind === "wait") return waitLabel(t, segment, nowMs);
    if (segment.kind === "deadline") return segment.open ? t("planned") : t("removalDone");
    const note = segment.note ? `${segment.note.replaceAll("_", " ")} ` : "";
    const at = atDistance(t, segment.startMs - startMs);
    if (segment.kind === "moment") return `${note}${at}`;
    const length = formatDuration(segment.endMs - segment.startMs, t.language);
    return `${note}${t(segment.open ? "forLengthSoFar" : "tookLength", { length, at })}`;
  });
  return listText(t.language, parts, "parts");
}

function atDistance(t: Words<"predictions">, ms: number): string {
  return ms < 1 ? t("atTheStart") : t("atDistance", { distance: formatDuration(ms, t.language) });
}

function lastNote(row: TimelineRow): string | null {
  return row.segments.findLast((segment) => segment.note !== null)?.note?.replaceAll("_", " ") ?? null;
}
