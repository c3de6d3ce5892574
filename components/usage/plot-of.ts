import type { UsageTotal } from "@/lib/usage/summary";

interface Plot {
  /** Boxes in a square of 100 by 100; days without usage have none. */
  bars: { day: string; quantity: number; box: { x: number; y: number; width: number; height: number } }[];
  /** The number at the upper edge, at least 1. */
  top: number;
  /** The first day, the last and what fits between, evenly spread. */
  dayLabels: string[];
}

/** How much of a day's width its bar takes. */
const barShare = 0.7;
const mostLabels = 5;

/** The drawing of one quantity per day, oldest first. */
export function plotOf(days: readonly UsageTotal[]): Plot {
  const top = roundUp(Math.max(1, ...days.map((day) => day.quantity)));
  const width = 100 / Math.max(1, days.length);
  const bars = days.flatMap(({ name, quantity }, index) => {
    const height = (quantity / top) * 100;
    const x = (index + (1 - barShare) / 2) * width;
    return quantity > 0
      ? [{ day: name, quantity, box: { x, y: 100 - height, width: width * barShare, height } }]
      : [];
  });
  const count = Math.min(mostLabels, days.length);
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
