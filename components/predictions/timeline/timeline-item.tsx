import { ChevronRight } from "lucide-react";
import type { Axis } from "@/lib/timeline/axis";
import { rowMeasure, rowSentence } from "@/lib/timeline/labels";
import type { TimelineRow } from "@/lib/timeline/row";
import type { Tick } from "@/lib/timeline/ticks";
import { rowGrid } from "./row-grid.ts";
import { TimelineBars } from "./timeline-bars.tsx";
import { TimelineFacts } from "./timeline-facts.tsx";
import { toneText } from "./tone-text.ts";

interface TimelineItemProps {
  row: TimelineRow;
  axis: Axis;
  ticks: Tick[];
  nowMs: number;
  widthPx: number;
}

/** One phase: its name, its bars, its length; opens to its facts. */
export function TimelineItem({ row, axis, ticks, nowMs, widthPx }: TimelineItemProps) {
  return (
    <li className="border-b last:border-b-0">
      <details className="group/row">
        <summary
          className={`${rowGrid.row} list-none py-0.5 hover:bg-sunken focus-visible:-outline-offset-2! [&::-webkit-details-marker]:hidden`}
        >
          <span className={`${rowGrid.name} flex items-center gap-1.5 py-1`}>
            <ChevronRight
              size={14}
              aria-hidden
              className="shrink-0 text-faint transition-transform duration-150 group-open/row:rotate-90"
            />
            <span aria-hidden className={`size-2 shrink-0 rounded-full bg-current ${toneText[row.tone]}`} />
            <span className="truncate text-table font-medium" title={row.label}>
              {row.label}
            </span>
            <span className="sr-only">: {rowSentence(row, axis.startMs, nowMs)}</span>
          </span>
          <span className={rowGrid.bars}>
            <TimelineBars row={row} axis={axis} ticks={ticks} nowMs={nowMs} widthPx={widthPx} />
          </span>
          <span aria-hidden className={`${rowGrid.measure} tabular text-table whitespace-nowrap text-muted`}>
            {rowMeasure(row, axis.startMs, nowMs)}
          </span>
        </summary>
        <TimelineFacts row={row} startMs={axis.startMs} nowMs={nowMs} />
      </details>
    </li>
  );
}
