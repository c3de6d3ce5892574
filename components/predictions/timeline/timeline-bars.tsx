import { useId } from "react";
import { formatDuration } from "@/lib/format";
import { type Axis, position } from "@/lib/timeline/axis";
import { waitLabel } from "@/lib/timeline/labels";
import { isOpen, type Segment, type TimelineRow } from "@/lib/timeline/row";
import type { Tick } from "@/lib/timeline/ticks";
import { percent } from "./percent.ts";
import { SegmentBar } from "./segment-bar.tsx";

const heightPx = 26;
const middlePx = heightPx / 2;
/** About what a letter of a wait's label takes. */
const letterPx = 5.8;
const marginPx = 10;

interface TimelineBarsProps {
  row: TimelineRow;
  axis: Axis;
  ticks: Tick[];
  nowMs: number;
  widthPx: number;
}

/** The drawing of one row. It repeats what the row says in words, so it is hidden from screen readers. */
export function TimelineBars({ row, axis, ticks, nowMs, widthPx }: TimelineBarsProps) {
  const hatchId = useId();
  const nowShown = isOpen(row) && nowMs > axis.startMs && nowMs < axis.endMs;
  return (
    <svg aria-hidden="true" className="block w-full overflow-visible" height={heightPx}>
      <defs>
        <pattern
          id={hatchId}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2" height="6" className="fill-current" />
        </pattern>
      </defs>
      {axis.pieces
        .filter((piece) => piece.broken)
        .map((piece) => (
          <rect
            key={piece.startMs}
            x={percent(piece.from)}
            width={percent(piece.to - piece.from)}
            y="-2"
            height={heightPx + 4}
            className="fill-sunken"
          />
        ))}
      {ticks.map((tick) => (
        <line
          key={tick.atMs}
          x1={percent(tick.at)}
          x2={percent(tick.at)}
          y1="-2"
          y2={heightPx + 2}
          className="stroke-line"
        />
      ))}
      {row.segments.map((segment) => (
        <SegmentBar
          key={`${segment.kind} ${segment.startMs}`}
          segment={segment}
          from={position(axis, segment.startMs)}
          to={position(axis, segment.endMs)}
          middlePx={middlePx}
          hatchId={hatchId}
          words={wordsThatFit(segment, axis, nowMs, widthPx)}
        />
      ))}
      {nowShown && (
        <line
          x1={percent(position(axis, nowMs))}
          x2={percent(position(axis, nowMs))}
          y1="-2"
          y2={heightPx + 2}
          strokeDasharray="2 3"
          className="stroke-accent"
        />
      )}
    </svg>
  );
}

/** The label of a wait, where its line is long enough to carry it; only the length where that fits alone. */
function wordsThatFit(segment: Segment, axis: Axis, nowMs: number, widthPx: number): string | null {
  if (segment.kind !== "wait" && segment.kind !== "deadline") return null;
  const words =
    segment.kind === "wait"
      ? [waitLabel(segment, nowMs), formatDuration(segment.endMs - segment.startMs)]
      : ["kept until then"];
  const roomPx = (position(axis, segment.endMs) - position(axis, segment.startMs)) * widthPx;
  return words.find((candidate) => roomPx > candidate.length * letterPx + marginPx) ?? null;
}
