import type { ActivityList, ActivityRow } from "#contract/activity.ts";
import type { Words } from "@/messages/words";
import { stepMs } from "./spans.ts";

/** A line or a set of bars, with one value per step. Null where nothing was measured. */
export interface Series {
  name: string;
  tone: "accent" | "good" | "warn" | "bad" | "busy";
  values: (number | null)[];
}

/** The start of every step in ms since the epoch, including steps without data. */
export function stepsOf({ from, to, step }: Pick<ActivityList, "from" | "to" | "step">): number[] {
  const first = Date.parse(from);
  const count = Math.max(1, Math.ceil((Date.parse(to) - first) / stepMs[step]));
  return Array.from({ length: count }, (_, index) => first + index * stepMs[step]);
}

/** One value per step, from an activity list without groups. */
export function valuesOf(
  list: Pick<ActivityList, "from" | "to" | "step" | "data">,
  read: (row: ActivityRow) => number | null,
  nothing: number | null = null,
): (number | null)[] {
  const rows = new Map(list.data.map((row) => [Date.parse(row.at), row]));
  return stepsOf(list).map((at) => {
    const row = rows.get(at);
    return row ? read(row) : nothing;
  });
}

/** The bars of a chart of runs: what succeeded, what failed, and the requests that were refused a run. */
export function runSeries(
  t: Words<"charts">,
  list: Parameters<typeof valuesOf>[0] & Pick<ActivityList, "total">,
): Series[] {
  const refused = valuesOf(list, (row) => row.refused, 0);
  return [
    { name: t("succeeded"), tone: "accent", values: valuesOf(list, (row) => row.runs - row.errors, 0) },
    { name: t("errors"), tone: "bad", values: valuesOf(list, ({ errors }) => errors, 0) },
    ...(list.total.refused > 0 ? [{ name: t("refused"), tone: "warn", values: refused } as const] : []),
  ];
}

/** Whether there is something to draw. */
export function hasValues(series: readonly Series[]): boolean {
  return series.some(({ values }) => values.some(Boolean));
}

/** The smallest 1, 2, 4, 6 or 10 times a power of ten that is not below `value`. From 2 on, its half is whole. */
export function axisTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6].find((each) => each * power >= value) ?? 10) * power;
}

/** The upper bound of a chart's axis, at least 2, so that the middle of the axis is a whole number. */
export function topOf(series: readonly Series[], isStacked: boolean): number {
  const count = series[0]?.values.length ?? 0;
  const heights = Array.from({ length: count }, (_, index) => {
    const values = series.map(({ values }) => values[index] ?? 0);
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  return axisTop(Math.max(2, ...heights));
}

/**
 * The unbroken parts of a line, as points in a 100 × 100 square. A value between two gaps becomes a short
 * line.
 */
export function linesOf(values: readonly (number | null)[], top: number): string[] {
  const width = 100 / Math.max(1, values.length);
  const lines: string[] = [];
  let points: string[] = [];
  const end = () => {
    if (points.length > 0) lines.push(points.join(" "));
    points = [];
  };
  for (const [index, value] of values.entries()) {
    if (value === null) {
      end();
      continue;
    }
    const y = round(100 - (value / top) * 100);
    const isAlone = (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
    if (isAlone) points.push(`${round(index * width)},${y}`, `${round((index + 1) * width)},${y}`);
    else points.push(`${round((index + 0.5) * width)},${y}`);
  }
  end();
  return lines;
}

export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The part of a step's width that its bar fills. */
const barShare = 0.76;

/** Stacked bars: one list of rectangles per series. */
export function barsOf(series: readonly Series[], top: number): Bar[][] {
  const count = series[0]?.values.length ?? 0;
  const width = 100 / Math.max(1, count);
  const below = new Array<number>(count).fill(0);
  return series.map(({ values }) =>
    values.flatMap((value, index) => {
      if (!value) return [];
      const height = (value / top) * 100;
      const y = 100 - (below[index] ?? 0) - height;
      below[index] = (below[index] ?? 0) + height;
      return [
        {
          x: round((index + (1 - barShare) / 2) * width),
          y: round(y),
          width: round(width * barShare),
          height: round(height),
        },
      ];
    }),
  );
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
