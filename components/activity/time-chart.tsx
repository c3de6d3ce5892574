"use client";

import dynamic from "next/dynamic";
import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import { useFormats, useWords } from "#words";
import { barsOf, hasValues, linesOf, topOf } from "@/lib/activity/chart";
import { stepMs } from "@/lib/activity/spans";
import { axisLabels, stepLabel, valueText } from "@/lib/activity/step-labels";
import type { ChartTableProps } from "./chart-table.tsx";

/** Apart, because many charts have no table. */
const ChartTable = dynamic(() => import("./chart-table.tsx").then((module) => module.ChartTable), {
  loading: () => null,
});

/** A range of steps in ms since the epoch. `to` is the end of the last step. */
export interface Stretch {
  from: number;
  to: number;
}

interface TimeChartProps extends ChartTableProps {
  kind: "bars" | "lines";
  /**
   * Called with a step that the user clicks, or a range that the user drags or selects with Shift, the arrow
   * keys and Enter.
   */
  onPick?: (stretch: Stretch) => void;
  /** Explains the effect of `onPick`. */
  pickHint?: string;
  height?: string;
  hasTable?: boolean;
}

const fills = {
  accent: "fill-(--accent-fill)",
  good: "fill-(--good)",
  warn: "fill-(--warn)",
  bad: "fill-(--bad)",
  busy: "fill-(--busy)",
};
const strokes = {
  accent: "stroke-(--accent)",
  good: "stroke-(--good)",
  warn: "stroke-(--warn)",
  bad: "stroke-(--bad)",
  busy: "stroke-(--busy)",
};
const dots = {
  accent: "bg-(--accent-fill)",
  good: "bg-(--good)",
  warn: "bg-(--warn)",
  bad: "bg-(--bad)",
  busy: "bg-(--busy)",
};

/**
 * Values over time as bars or lines, with the value at the pointer or keyboard focus, and the same numbers as
 * a table. The page draws the SVG itself, because a plotting library would be larger than all of this code.
 */
export function TimeChart(props: TimeChartProps) {
  const {
    label,
    steps,
    step,
    series,
    kind,
    format,
    onPick,
    pickHint,
    height = "h-44",
    hasTable = true,
  } = props;
  const t = useWords("charts");
  const formats = useFormats();
  const hintId = useId();
  const [place, setPlace] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const top = topOf(series, kind === "bars");
  const last = steps.length - 1;
  const shown = place ?? last;
  const textOf = (index: number) =>
    t("valuesAt", {
      at: stepLabel(t, formats, steps[index] ?? 0, step),
      values: formats.list(
        series.map(({ name, values }) => `${name} ${valueText(values[index] ?? null, format)}`),
      ),
    });
  const pick = (one: number, other: number) => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    onPick?.({ from: steps[low] ?? 0, to: (steps[high] ?? 0) + stepMs[step] });
  };
  const placeOf = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    return Math.min(last, Math.max(0, Math.floor(share * steps.length)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAnchor(event.shiftKey ? (anchor ?? shown) : null);
      setPlace(Math.min(last, Math.max(0, next)));
    } else if (event.key === "Enter" && onPick) {
      event.preventDefault();
      pick(anchor ?? shown, shown);
      setAnchor(null);
    } else if (event.key === "Escape") setAnchor(null);
  };
  const marked =
    place === null ? null : { from: Math.min(anchor ?? place, place), to: Math.max(anchor ?? place, place) };
  if (!hasValues(series))
    return (
      <div
        className={`grid ${height} content-center rounded-panel border border-dashed p-4 text-center text-muted`}
      >
        <p>{t("noData")}</p>
        <p className="text-table">{t("drawnWithData", { label })}</p>
      </div>
    );
  return (
    <div>
      <p className="mb-1 flex min-h-5 flex-wrap gap-x-4 text-meta text-muted">
        {place !== null && (
          <span className="tabular text-ink">{stepLabel(t, formats, steps[place] ?? 0, step)}</span>
        )}
        {series.map(({ name, tone, values }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden data-swatch className={`size-2 rounded-full ${dots[tone]}`} />
            {name}
            {place !== null && (
              <span className="tabular text-ink">{valueText(values[place] ?? null, format)}</span>
            )}
          </span>
        ))}
      </p>
      <div
        className={`grid ${height} grid-cols-[minmax(3.5rem,auto)_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] gap-x-2 gap-y-1 text-meta text-muted`}
      >
        <div aria-hidden className="tabular flex flex-col justify-between text-right">
          {[top, top / 2, 0].map((value) => (
            <span key={value} className="leading-none whitespace-nowrap">
              {format(value)}
            </span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={shown}
          aria-valuetext={textOf(shown)}
          aria-describedby={onPick ? hintId : undefined}
          className={`relative touch-pan-y select-none ${onPick ? "cursor-pointer" : ""}`}
          onKeyDown={onKeyDown}
          onFocus={() => setPlace((now) => now ?? last)}
          onBlur={() => {
            setPlace(null);
            setAnchor(null);
          }}
          onPointerDown={(event) => {
            if (!onPick || event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            const at = placeOf(event);
            setAnchor(at);
            setPlace(at);
          }}
          onPointerMove={(event) => setPlace(placeOf(event))}
          onPointerLeave={() => anchor === null && setPlace(null)}
          onPointerCancel={() => setAnchor(null)}
          onPointerUp={(event) => {
            if (anchor === null) return;
            pick(anchor, placeOf(event));
            setAnchor(null);
          }}
        >
          <Drawing {...{ series, kind, top, marked }} count={steps.length} />
        </div>
        <div aria-hidden className="tabular col-start-2 flex justify-between">
          {axisLabels(formats, steps, step).map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two labels may read the same
            <span key={index}>{text}</span>
          ))}
        </div>
      </div>
      {onPick && (
        <p id={hintId} className="sr-only">
          {t("keysMove", { effect: pickHint ?? "" })}
        </p>
      )}
      {hasTable && <ChartTable {...props} />}
    </div>
  );
}

interface DrawingProps extends Pick<TimeChartProps, "series" | "kind"> {
  /** The value at the upper edge. */
  top: number;
  /** The selected steps, of `count` steps. */
  marked: { from: number; to: number } | null;
  count: number;
}

/** The grid, the selection, and the bars or lines. */
function Drawing({ series, kind, top, marked, count }: DrawingProps) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="size-full" aria-hidden="true">
      {[0, 50, 100].map((y) => (
        <line
          key={y}
          x1="0"
          x2="100"
          y1={y}
          y2={y}
          className="stroke-(--line)"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {marked && (
        <rect
          x={(marked.from * 100) / count}
          y="0"
          width={((marked.to - marked.from + 1) * 100) / count}
          height="100"
          className="fill-(--accent-soft)"
        />
      )}
      {kind === "bars"
        ? barsOf(series, top).map((bars, index) => (
            <g key={series[index]?.name} className={fills[series[index]?.tone ?? "accent"]}>
              {bars.map((bar) => (
                <rect key={bar.x} {...bar} />
              ))}
            </g>
          ))
        : series.map(({ name, tone, values }) =>
            linesOf(values, top).map((points) => (
              <polyline
                key={`${name} ${points}`}
                points={points}
                fill="none"
                strokeWidth="1.5"
                className={strokes[tone]}
                vectorEffect="non-scaling-stroke"
              />
            )),
          )}
    </svg>
  );
}
