"use client";

import { ChevronRight } from "lucide-react";
import { Fragment, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { Output } from "#contract/outputs.ts";
import type { Prediction } from "#contract/prediction.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { useWords } from "#words";
import { IdChip } from "@/components/ui/id-chip";
import { Time } from "@/components/ui/time";
import { formatBytes, formatDuration } from "@/lib/format";
import { idHref } from "@/lib/resources";
import type { Tone } from "@/lib/status/status-look";
import { type Axis, axisTicks, position, type Tick, timelineAxis } from "@/lib/timeline/axis";
import { predictionRows } from "@/lib/timeline/prediction-rows";
import {
  type Fact,
  isOpen,
  rowMeasure,
  rowSentence,
  type Segment,
  type TimelineRow,
  waitLabel,
} from "@/lib/timeline/row";
import type { Words } from "@/messages/words";

/** While something runs, its timer shows tenths. Waiting for the removal needs only seconds. */
const runningTickMs = 200;

const waitingTickMs = 1000;

interface PredictionTimelineProps {
  prediction: Prediction;
  deliveries: (Delivery | DeliveryDetail)[];
  /** The run's files in the library. */
  kept?: readonly Output[];
  /** The server's clock when it rendered the page. */
  initialNowMs: number;
}

/** The timeline of a prediction, from submission to removal, updated while it runs. */
export function PredictionTimeline(props: PredictionTimelineProps) {
  const t = useWords("predictions");
  const words = { t, webhooks: useWords("webhooks") };
  const { prediction, deliveries, kept = [], initialNowMs } = props;
  const running = predictionRows(words, prediction, [], initialNowMs).some(
    (row) => (row.kind === "queue" || row.kind === "run") && isOpen(row),
  );
  const nowMs = useClock(initialNowMs, running ? runningTickMs : waitingTickMs);
  return (
    <Timeline
      rows={predictionRows(words, prediction, deliveries, nowMs, kept)}
      nowMs={nowMs}
      label={t("timelineOfThisPrediction")}
    />
  );
}

/**
 * The time in milliseconds, updated every `everyMs` while the page is visible. It starts with the server's
 * `initialMs`, so that the first paint in the browser equals the server's HTML.
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

const heightPx = 26;

const middlePx = heightPx / 2;

/** Name, bars and length side by side, in the room that the timeline has. On a phone, the bars are below. */
const rowGrid = {
  row: "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3 @sm:grid-cols-[136px_minmax(0,1fr)_100px] @2xl:grid-cols-[188px_minmax(0,1fr)_112px] @4xl:grid-cols-[248px_minmax(0,1fr)_128px]",
  name: "order-1 min-w-0",
  bars: "order-3 col-span-2 mx-1 min-w-0 @sm:order-2 @sm:col-span-1 @sm:col-start-2",
  measure: "order-2 truncate text-right @sm:order-3",
};

/** Assumed width of the bars until they can be measured. */
const assumedWidthPx = 640;

interface TimelineProps {
  rows: TimelineRow[];
  nowMs: number;
  label: string;
}

/**
 * Rows of bars on one shared axis. For screen readers, a list in the same order, each item with its facts.
 */
function Timeline({ rows, nowMs, label }: TimelineProps) {
  const header = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(header, assumedWidthPx);
  const axis = timelineAxis(rows);
  const ticks = axisTicks(axis, widthPx);
  return (
    <div className="@container overflow-hidden rounded-panel border bg-panel">
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

interface TimelineItemProps {
  row: TimelineRow;
  axis: Axis;
  ticks: Tick[];
  nowMs: number;
  widthPx: number;
}

/** Whole class names, so that Tailwind finds them. Bars use `currentColor`. */
const toneText: Record<Tone, string> = {
  good: "text-good",
  busy: "text-busy",
  waiting: "text-waiting",
  warn: "text-warn",
  bad: "text-bad",
  gone: "text-gone",
};

/** The letters at the end of an address that are always shown. */
const shownEnd = 6;

/** An address on one line. If it is too long, it is cut before its last letters. */
function Address({ text }: { text: string }) {
  return (
    <span className="flex min-w-0 text-table font-medium" title={text}>
      <span className="truncate">{text.slice(0, -shownEnd)}</span>
      <span className="shrink-0">{text.slice(-shownEnd)}</span>
    </span>
  );
}

/** One phase: its name, bars and length. It opens to show its facts. */
function TimelineItem({ row, axis, ticks, nowMs, widthPx }: TimelineItemProps) {
  const t = useWords("predictions");
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
            <span
              aria-hidden
              data-swatch
              className={`size-2 shrink-0 rounded-full bg-current ${toneText[row.tone]}`}
            />
            {row.kind === "delivery" ? (
              <Address text={row.label} />
            ) : (
              <span className="line-clamp-2 text-table font-medium wrap-anywhere" title={row.label}>
                {row.label}
              </span>
            )}
            <span className="sr-only">: {rowSentence(t, row, axis.startMs, nowMs)}</span>
          </span>
          <span className={rowGrid.bars}>
            <TimelineBars row={row} axis={axis} ticks={ticks} nowMs={nowMs} widthPx={widthPx} />
          </span>
          <span aria-hidden className={`${rowGrid.measure} tabular text-table whitespace-nowrap text-muted`}>
            {rowMeasure(t, row, axis.startMs, nowMs)}
          </span>
        </summary>
        <TimelineFacts row={row} startMs={axis.startMs} nowMs={nowMs} />
      </details>
    </li>
  );
}

/** The facts of a phase: exact times, ids, reasons. For a delivery, also its attempts. */
function TimelineFacts({ row, startMs, nowMs }: { row: TimelineRow; startMs: number; nowMs: number }) {
  const t = useWords("predictions");
  return (
    <div className="space-y-2 border-t border-dashed bg-canvas py-2 pr-3 pl-[34px]">
      {row.facts.length > 0 && (
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-table">
          {row.facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no identity and never move
            <Fragment key={index}>
              <dt className="text-muted first-letter:uppercase">{fact.label}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <FactValue fact={fact} />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {row.children.length > 0 && (
        <ol className="space-y-1 text-table">
          {row.children.map((child) => (
            <li key={child.id} className="flex flex-wrap items-baseline gap-x-2">
              <span
                aria-hidden
                data-swatch
                className={`size-2 self-center rounded-full bg-current ${toneText[child.tone]}`}
              />
              <span className="font-medium">{child.label}</span>
              <span className="tabular text-muted">{rowSentence(t, child, startMs, nowMs)}</span>
              {child.facts
                .filter((fact) => fact.label === t("whatHappened"))
                .map((fact) => (
                  <span key={fact.label} className="basis-full pl-4 text-muted wrap-anywhere">
                    {fact.value}
                  </span>
                ))}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function FactValue({ fact }: { fact: Fact }) {
  const t = useWords("predictions");
  if (typeof fact.value === "number") {
    return <>{fact.form === "bytes" ? formatBytes(fact.value) : formatDuration(fact.value, t.language)}</>;
  }
  switch (fact.form) {
    case "time":
      return (
        <>
          <Time value={fact.value} mode="absolute" />{" "}
          <span className="text-muted">
            (<Time value={fact.value} />)
          </span>
        </>
      );
    case "id":
      return <IdChip id={fact.value} href={idHref(fact.value)} />;
    case "code":
      return <code className="text-meta">{fact.value}</code>;
    default:
      return <>{fact.value}</>;
  }
}

interface TimelineBarsProps {
  row: TimelineRow;
  axis: Axis;
  ticks: Tick[];
  nowMs: number;
  widthPx: number;
}

/** The bars of one row. Hidden from screen readers, because the row's text has the same content. */
function TimelineBars({ row, axis, ticks, nowMs, widthPx }: TimelineBarsProps) {
  const t = useWords("predictions");
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
          label={labelThatFits(t, segment, axis, nowMs, widthPx)}
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

/** A share from 0 to 1 as an SVG length, the same text on the server and in the browser. */
function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

interface SegmentBarProps {
  segment: Segment;
  /** Shares 0..1 of the width. */
  from: number;
  to: number;
  middlePx: number;
  hatchId: string;
  label: string | null;
}

const barPx = 12;

/** Even the shortest bar must be visible. */
const minPx = 3;

/** A queue is hatched, work is solid, a wait is a thin line with its length, a deadline ends in a flag. */
function SegmentBar({ segment, from, to, middlePx, hatchId, label }: SegmentBarProps) {
  const x = percent(from);
  const width = percent(Math.max(0, to - from));
  const y = middlePx - barPx / 2;
  const colour = toneText[segment.tone];
  switch (segment.kind) {
    case "moment":
      return (
        <circle
          cx={x}
          cy={middlePx}
          r="5"
          strokeWidth="2"
          className={`fill-current stroke-panel ${colour}`}
        />
      );
    case "wait":
      return <ThinLine from={from} to={to} middlePx={middlePx} label={label} dashed={segment.open} />;
    case "deadline":
      return (
        <g>
          <ThinLine from={from} to={to} middlePx={middlePx} label={label} dashed={segment.open} />
          <svg
            aria-hidden="true"
            x={percent(to)}
            y={middlePx - 9}
            width="1"
            height="18"
            overflow="visible"
            className={colour}
          >
            <path d="M0 0v18" className="stroke-current" strokeWidth="1.5" fill="none" />
            <path d="M0 0h-10l3 3.5l-3 3.5h10z" className="fill-current" />
          </svg>
        </g>
      );
    case "queue":
      return (
        <g className={colour}>
          <rect x={x} width={minPx} y={y} height={barPx} rx="1.5" className="fill-current" />
          <rect
            x={x}
            width={width}
            y={y}
            height={barPx}
            rx="3"
            fill={`url(#${hatchId})`}
            className="stroke-current"
          />
        </g>
      );
    default:
      return (
        <g className={`fill-current ${colour}`}>
          <rect x={x} width={minPx} y={y} height={barPx} rx="1.5" />
          <rect x={x} width={width} y={y} height={barPx} rx="3" />
        </g>
      );
  }
}

interface ThinLineProps {
  from: number;
  to: number;
  middlePx: number;
  label: string | null;
  dashed: boolean;
}

function ThinLine({ from, to, middlePx, label, dashed }: ThinLineProps) {
  return (
    <g className="text-muted">
      <line
        x1={percent(from)}
        x2={percent(to)}
        y1={middlePx}
        y2={middlePx}
        className="stroke-strong"
        {...(dashed && { strokeDasharray: "3 3" })}
      />
      {label && (
        <text
          x={percent((from + to) / 2)}
          y={middlePx - 4}
          textAnchor="middle"
          className="tabular fill-current text-[11px]"
        >
          {label}
        </text>
      )}
    </g>
  );
}

/** Approximate width of a letter in the label of a wait. */
const letterPx = 5.8;

const marginPx = 10;

/** The label of a wait if its line is long enough, or only the length if only that fits. */
function labelThatFits(
  t: Words<"predictions">,
  segment: Segment,
  axis: Axis,
  nowMs: number,
  widthPx: number,
): string | null {
  if (segment.kind !== "wait" && segment.kind !== "deadline") return null;
  const words =
    segment.kind === "wait"
      ? [waitLabel(t, segment, nowMs), formatDuration(segment.endMs - segment.startMs, t.language)]
      : [t("storedUntilThen")];
  const roomPx = (position(axis, segment.endMs) - position(axis, segment.startMs)) * widthPx;
  return words.find((candidate) => roomPx > candidate.length * letterPx + marginPx) ?? null;
}

/** A mark needs this much space beside a label. */
const markRoomPx = 40;

/**
 * The elapsed time along the top, with a mark where quiet time is compressed. Screen readers get the times
 * with the rows.
 */
function TimelineAxis({ axis, ticks, widthPx }: { axis: Axis; ticks: Tick[]; widthPx: number }) {
  const t = useWords("predictions");
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
          {tick.elapsedMs === 0 ? "0" : formatDuration(tick.elapsedMs, t.language)}
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
