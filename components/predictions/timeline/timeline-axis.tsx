import { formatDuration } from "@/lib/format";
import type { Tick } from "@/lib/timeline/ticks";
import { percent } from "./percent.ts";

/** The elapsed time along the top; a screen reader gets the times with the rows. */
export function TimelineAxis({ ticks }: { ticks: Tick[] }) {
  return (
    <svg aria-hidden="true" className="block h-4 w-full overflow-visible text-muted" height="16">
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
