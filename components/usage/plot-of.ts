import type { UsageTotal } from "@/lib/usage/summary";

interface Bar {
  day: string;
  /** The area of the whole day, in which the pointer selects the day. */
  slot: { x: number; y: number; width: number; height: number };
  box: { x: number; y: number; width: number; height: number };
  /** The bar of the same day in the previous period. */
  before: { x: number; y: number; width: number; height: number } | null;
}

interface Plot {
  /** Coordinates are in a 100 × 100 square. Bars of days without usage have no height. */
  bars: Bar[];
  /** The value at the upper edge of the chart. */
  top: number;
  /** The first day, the last, and as many between as fit, evenly spread. */
  dayLabels: string[];
}

/** Widths of a day's bar and of the previous period's bar, as shares of the space for one day. */
const barShare = 0.5;
const beforeShare = 0.22;
const maxLabels = 5;

/** Bars of one quantity per day, oldest first, beside those of the previous period. */
export function plotOf(days: readonly UsageTotal[], before: readonly UsageTotal[] = []): Plot {
  const largest = Math.max(0, ...[...days, ...before].map((day) => day.quantity));
  const top = largest > 0 ? roundUp(largest) : 1;
  const width = 100 / Math.max(1, days.length);
  const boxOf = (quantity: number, x: number, share: number) => {
    const height = (quantity / top) * 100;
    return { x, y: 100 - height, width: width * share, height };
  };
  const bars = days.map(({ name, quantity }, index) => {
    const left = (index + (1 - barShare - beforeShare) / 2) * width;
    const earlier = before[index];
    return {
      day: name,
      slot: { x: index * width, y: 0, width, height: 100 },
      box: boxOf(quantity, left + beforeShare * width, barShare),
      before: earlier ? boxOf(earlier.quantity, left, beforeShare) : null,
    };
  });
  const count = Math.min(maxLabels, days.length);
  const dayLabels = Array.from({ length: count }, (_, label) => {
    const day = days[Math.round((label * (days.length - 1)) / Math.max(1, count - 1))];
    return day ? dayName.format(Date.parse(day.name)) : "";
  });
  return { bars, top, dayLabels };
}

/** The next 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

const dayName = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
