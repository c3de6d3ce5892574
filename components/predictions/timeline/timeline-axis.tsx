import { formatDuration } from "@/lib/format";
import type { Axis } from "@/lib/timeline/axis";
import type { Tick } from "@/lib/timeline/ticks";
import { percent } from "./percent.ts";

/** A mark needs this much room beside a label. */
const markRoomPx = 40;

/** The elapsed time along the top, with a mark where quiet time is squeezed; a screen reader gets the times with the rows. */
export function TimelineAxis({ axis, ticks, widthPx }: { axis: Axis; ticks: Tick[]; widthPx: number }) {
  return (
    <svg aria-hidden="true" className="block h-4 w-full overflow-visible text-muted" height="16">
      {breakMarks(axis, ticks, widthPx).map((at) => (
        <svg key={at} x={percent(at)} width="1" height="16" overflow="visible" aria-hidden="true">
          <path d="M-4 12l3 -8M1 12l3 -8" className="stroke-faint" fill="none" />
        </svg>
      ))}
      {ticks.map((tick) => (
        <text
          key={tick.atMs}
          x={percent(tick.at)}
          y="12"
          textAnchor={tick.at < 0.02 ? "start" : tick.at > 0.98 ? "end" : "middle"}
          className="tabular fill-current text-[11px]"
        >
          {tick.elapsedMs === 0 ? "0" : formatDuration(tick.elapsedMs)}
        </text>
      ))}
    </svg>
  );
}

/** The middle of each squeezed stretch, where no label is in the way. */
function breakMarks(axis: Axis, ticks: Tick[], widthPx: number): number[] {
  return axis.pieces
    .filter((piece) => piece.broken)
    .map((piece) => (piece.from + piece.to) / 2)
    .filter((at) => ticks.every((tick) => Math.abs(tick.at - at) * widthPx > markRoomPx));
}
