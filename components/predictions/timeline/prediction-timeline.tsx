"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { formatDuration } from "@/lib/format";
import { type Axis, timelineAxis } from "@/lib/timeline/axis";
import { predictionRows } from "@/lib/timeline/prediction-rows";
import { isOpen, type TimelineRow } from "@/lib/timeline/row";
import { axisTicks, type Tick } from "@/lib/timeline/ticks";
import { percent } from "./percent.ts";
import { rowGrid } from "./row-grid.ts";
import { TimelineItem } from "./timeline-item.tsx";

/** While something runs, its timer shows tenths; waiting for the removal needs only seconds. */
const runningTickMs = 200;
const waitingTickMs = 1000;

interface PredictionTimelineProps {
  prediction: Prediction;
  deliveries: (Delivery | DeliveryDetail)[];
  /** The server's clock when it rendered the page. */
  initialNowMs: number;
}

/** The timeline of a prediction, from submission to removal, updated while it runs. */
export function PredictionTimeline({ prediction, deliveries, initialNowMs }: PredictionTimelineProps) {
  const running = predictionRows(prediction, [], initialNowMs).some(
    (row) => (row.kind === "queue" || row.kind === "run") && isOpen(row),
  );
  const nowMs = useClock(initialNowMs, running ? runningTickMs : waitingTickMs);
  return (
    <Timeline
      rows={predictionRows(prediction, deliveries, nowMs)}
      nowMs={nowMs}
      label="Timeline of this prediction"
    />
  );
}

/**
 * The time in milliseconds, updated every `everyMs` while the page is visible. It starts with the server's
 * `initialMs`, so that the first paint in the browser equals the server's.
 */
function useClock(initialMs: number, everyMs: number): number {
  const [nowMs, setNowMs] = useState(initialMs);

  useEffect(() => {
    const tick = () => document.visibilityState === "visible" && setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, everyMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [everyMs]);

  return nowMs;
}

/** Assumed width of the bars until they can be measured. */
const assumedWidthPx = 640;

interface TimelineProps {
  rows: TimelineRow[];
  nowMs: number;
  label: string;
}

/** Rows of bars on one shared axis; for screen readers a list in the same order, each item with its facts. */
function Timeline({ rows, nowMs, label }: TimelineProps) {
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

/** A mark needs this much room beside a label. */
const markRoomPx = 40;

/**
 * The elapsed time along the top, with a mark where quiet time is compressed; screen readers get the times
 * with the rows.
 */
function TimelineAxis({ axis, ticks, widthPx }: { axis: Axis; ticks: Tick[]; widthPx: number }) {
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

/** The middle of each compressed gap, unless a label is in the way. */
function breakMarks(axis: Axis, ticks: Tick[], widthPx: number): number[] {
  return axis.pieces
    .filter((piece) => piece.broken)
    .map((piece) => (piece.from + piece.to) / 2)
    .filter((at) => ticks.every((tick) => Math.abs(tick.at - at) * widthPx > markRoomPx));
}

/** The width of an element in pixels, `assumed` until it has been measured. */
function useWidth(element: RefObject<Element | null>, assumed: number): number {
  const [width, setWidth] = useState(assumed);

  useEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);

  return width;
}
