"use client";

import { useRef } from "react";
import { timelineAxis } from "@/lib/timeline/axis";
import type { TimelineRow } from "@/lib/timeline/row";
import { axisTicks } from "@/lib/timeline/ticks";
import { rowGrid } from "./row-grid.ts";
import { TimelineAxis } from "./timeline-axis.tsx";
import { TimelineItem } from "./timeline-item.tsx";
import { useWidth } from "./use-width.ts";

/** What the column of bars is taken to measure until the browser has told. */
const assumedWidthPx = 640;

interface TimelineProps {
  rows: TimelineRow[];
  nowMs: number;
  label: string;
}

/** Rows of bars on one shared axis; to a screen reader it is a list in the same order, each item with its facts. */
export function Timeline({ rows, nowMs, label }: TimelineProps) {
  const header = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(header, assumedWidthPx);
  const axis = timelineAxis(rows);
  const ticks = axisTicks(axis, widthPx);
  return (
    <div className="overflow-hidden rounded-panel border bg-panel">
      <div className={`${rowGrid.row} border-b py-1`}>
        <div ref={header} className={rowGrid.bars}>
          <TimelineAxis axis={axis} ticks={ticks} widthPx={widthPx} />
        </div>
      </div>
      <ol aria-label={label}>
        {rows.map((row) => (
          <TimelineItem key={row.id} row={row} axis={axis} ticks={ticks} nowMs={nowMs} widthPx={widthPx} />
        ))}
      </ol>
    </div>
  );
}
