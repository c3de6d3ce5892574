import { formatDuration } from "@/lib/format";
import type { Axis } from "@/lib/timeline/axis";
import type { Tick } from "@/lib/timeline/ticks";
import { percent } from "./percent.ts";

/** The elapsed time along the top, with a mark where quiet time is squeezed; a screen reader gets the times with the rows. */
export function TimelineAxis({ axis, ticks }: { axis: Axis; ticks: Tick[] }) {
  return (
    <svg aria-hidden="true" className="block h-4 w-full overflow-visible text-muted" height="16">
      {axis.pieces
        .filter((piece) => piece.broken)
        .map((piece) => (
          <text
            key={piece.startMs}
            x={percent((piece.from + piece.to) / 2)}
            y="12"
            textAnchor="middle"
            className="fill-current text-[11px] text-faint"
          >
            ⫽
          </text>
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
