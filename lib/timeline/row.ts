import type { Tone } from "../status/tone.ts";

/** A timeline is rows that hold segments on one time axis. Arithmetic only; components draw. */

/** `moment` has no length; `wait` is drawn thin; the others are bars. */
export type SegmentKind = "moment" | "queue" | "run" | "store" | "attempt" | "wait" | "deadline";

export interface Segment {
  kind: SegmentKind;
  startMs: number;
  /** For an open segment: now, or the planned end when there is one. */
  endMs: number;
  /** Still going on. */
  open: boolean;
  tone: Tone;
  /** What to show besides its length, e.g. `503`. */
  note: string | null;
}

export type FactForm = "text" | "time" | "duration" | "bytes" | "id" | "code";

export interface Fact {
  label: string;
  /** Milliseconds for `duration`, a number for `bytes`, RFC 3339 for `time`, else the text itself. */
  value: string | number;
  form: FactForm;
}

/** What the row is about; unknown events of a newer gateway are `other`. */
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
  /** Smaller rows that appear when this one is opened, e.g. the attempts of a delivery. */
  children: TimelineRow[];
}

/** The milliseconds of a timestamp, or null when there is none or it cannot be read. */
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

/** The time that bars of the row cover, waits and moments left out. */
export function workMs(row: TimelineRow): number {
  return row.segments.reduce(
    (sum, segment) =>
      segment.kind === "wait" || segment.kind === "deadline" ? sum : sum + (segment.endMs - segment.startMs),
    0,
  );
}

/** Whether anything of the row is still going on. */
export function isOpen(row: TimelineRow): boolean {
  return row.segments.some((segment) => segment.open);
}
