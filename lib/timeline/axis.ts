import type { TimelineRow } from "./row.ts";

/** A period and its share of the width. A `broken` period is drawn compressed. */
export interface AxisPiece {
  startMs: number;
  endMs: number;
  from: number;
  to: number;
  broken: boolean;
}

export interface Axis {
  startMs: number;
  endMs: number;
  pieces: AxisPiece[];
}

/** A quiet gap that is longer than this share of all work is compressed. */
const quietShare = 0.5;
/** Shorter gaps are never compressed. */
const minBreakMs = 1_000;
/** The total width of all compressed gaps, and the width of one. */
const brokenShareMax = 0.72;
const brokenShareEach = 0.18;
/** No period of work is drawn narrower than this share of the width. */
const minPieceWidth = 0.008;

/**
 * One axis for seconds of work and hours of waiting. Work is drawn to scale, while long quiet gaps are
 * compressed (longer ones still look longer) and marked as broken.
 */
export function timelineAxis(rows: TimelineRow[]): Axis {
  const segments = rows.flatMap((row) => row.segments);
  if (segments.length === 0) return { startMs: 0, endMs: 1, pieces: [piece(0, 1, 0, 1, false)] };
  const startMs = Math.min(...segments.map((segment) => segment.startMs));
  const endMs = Math.max(startMs + 1, ...segments.map((segment) => segment.endMs));
  const work = union(
    segments
      .filter((segment) => segment.kind !== "wait" && segment.kind !== "deadline")
      .map((segment) => [segment.startMs, segment.endMs]),
  );
  return { startMs, endMs, pieces: layOut(split(work, startMs, endMs)) };
}

/** The position of `ms` as a share from 0 to 1 of the width. */
export function position(axis: Axis, ms: number): number {
  const last = axis.pieces.at(-1);
  if (!last || ms >= last.endMs) return 1;
  const found = axis.pieces.find((candidate) => ms < candidate.endMs);
  if (!found || ms <= axis.startMs) return 0;
  const share = (ms - found.startMs) / (found.endMs - found.startMs);
  return found.from + share * (found.to - found.from);
}

/** Merges overlapping periods, in order of time. */
function union(stretches: [number, number][]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [start, end] of stretches.sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

interface Gap {
  startMs: number;
  endMs: number;
  broken: boolean;
}

/** The time between start and end, split at quiet gaps that are too long to draw to scale. */
function split(work: [number, number][], startMs: number, endMs: number): Gap[] {
  const workMs = work.reduce((sum, [from, to]) => sum + to - from, 0);
  const longestQuietMs = Math.max(minBreakMs, workMs * quietShare);
  const parts: Gap[] = [];
  let linearFrom = startMs;
  let quietFrom = startMs;
  for (const [from, to] of [...work, [endMs, endMs] as [number, number]]) {
    if (from - quietFrom > longestQuietMs) {
      if (quietFrom > linearFrom) parts.push({ startMs: linearFrom, endMs: quietFrom, broken: false });
      parts.push({ startMs: quietFrom, endMs: from, broken: true });
      linearFrom = from;
    }
    quietFrom = Math.max(quietFrom, to);
  }
  if (endMs > linearFrom) parts.push({ startMs: linearFrom, endMs, broken: false });
  return parts;
}

/** Gives each part its share of the width. */
function layOut(parts: Gap[]): AxisPiece[] {
  const broken = parts.filter((part) => part.broken);
  const linear = parts.filter((part) => !part.broken);
  const brokenShare = linear.length === 0 ? 1 : Math.min(brokenShareMax, brokenShareEach * broken.length);
  const weights = shares(
    broken.map(length).map((ms) => Math.sqrt(Math.log2(2 + ms / minBreakMs))),
    brokenShare,
    0,
  );
  const lengths = shares(linear.map(length), 1 - brokenShare, minPieceWidth);
  let x = 0;
  return parts.map((part) => {
    const width = (part.broken ? weights.shift() : lengths.shift()) ?? 0;
    const from = x;
    x += width;
    return piece(part.startMs, part.endMs, from, x, part.broken);
  });
}

/** Splits `total` by the weights. No part gets less than `least` of the whole width. */
function shares(weights: number[], total: number, least: number): number[] {
  const sum = weights.reduce((a, b) => a + b, 0) || 1;
  const floor = Math.min(least, total / Math.max(1, weights.length));
  const raised = weights.map((weight) => Math.max(floor, (weight / sum) * total));
  const raisedSum = raised.reduce((a, b) => a + b, 0) || 1;
  return raised.map((share) => (share / raisedSum) * total);
}

function length(part: Gap): number {
  return part.endMs - part.startMs;
}

function piece(startMs: number, endMs: number, from: number, to: number, broken: boolean): AxisPiece {
  return { startMs, endMs, from, to, broken };
}

export interface Tick {
  atMs: number;
  /** Time since the start of the axis. */
  elapsedMs: number;
  /** Share 0..1 of the width. */
  at: number;
}

/** Labels with less distance would overlap. */
const minDistancePx = 58;

const niceSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3,
  1800e3, 3600e3, 7200e3, 14400e3, 21600e3, 43200e3, 86400e3,
];

/** Round times along an axis of this width: its start and end, ends of gaps, and steps within wide parts. */
export function axisTicks(axis: Axis, widthPx: number): Tick[] {
  const minDistance = minDistancePx / Math.max(1, widthPx);
  const tick = (atMs: number): Tick => ({ atMs, elapsedMs: atMs - axis.startMs, at: position(axis, atMs) });
  const ends = [tick(axis.startMs), tick(axis.endMs)];
  const afterGaps = axis.pieces.filter((piece) => piece.broken).map((piece) => tick(piece.endMs));
  const inside = axis.pieces
    .filter((piece) => !piece.broken)
    .flatMap((piece) => steps(piece, axis.startMs, minDistance))
    .map(tick);
  const kept: Tick[] = [];
  // The ends matter most, then the first moment after a break, then the steps.
  for (const candidate of [...ends, ...afterGaps, ...inside]) {
    if (kept.every((other) => Math.abs(other.at - candidate.at) >= minDistance)) kept.push(candidate);
  }
  return kept.sort((a, b) => a.at - b.at);
}

function steps(piece: AxisPiece, startMs: number, leastDistance: number): number[] {
  const room = Math.floor((piece.to - piece.from) / leastDistance);
  if (room < 2) return [];
  const stepMs = niceSteps.find((step) => (piece.endMs - piece.startMs) / step <= room);
  if (stepMs === undefined) return [];
  const found: number[] = [];
  const first = startMs + Math.ceil((piece.startMs - startMs) / stepMs) * stepMs;
  for (let ms = first; ms <= piece.endMs; ms += stepMs) found.push(ms);
  return found;
}
