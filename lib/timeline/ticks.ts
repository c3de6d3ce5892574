import { type Axis, type AxisPiece, position } from "./axis.ts";

export interface Tick {
  atMs: number;
  /** Time since the start of the axis. */
  elapsedMs: number;
  /** Share 0..1 of the width. */
  at: number;
}

/** Labels closer than this would overlap. */
const minDistancePx = 58;

const niceSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3,
  1800e3, 3600e3, 7200e3, 14400e3, 21600e3, 43200e3, 86400e3,
];

/** Round times along an axis of this width: its start and end, ends of gaps, steps in wide pieces. */
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
