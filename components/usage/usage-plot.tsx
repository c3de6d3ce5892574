"use client";

import { useTheme } from "next-themes";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { UsageTotal } from "@/lib/usage/summary";

const heightPx = 240;
const axisSizePx = 56;
/** How much of a day's width its bar takes, and how wide it may get. */
const barShare = 0.7;
const barMaxPx = 48;

/** One bar per day. The drawing follows the theme and the width of its place. */
export function UsagePlot({ days, unit }: { days: UsageTotal[]; unit: string }) {
  const place = useRef<HTMLDivElement>(null);
  const { resolvedTheme } = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas knows no tokens, so a new theme draws it anew.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(optionsOf(element, unit), dataOf(days), element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, unit, resolvedTheme]);

  const total = days.reduce((sum, day) => sum + day.quantity, 0);
  return (
    <div
      ref={place}
      role="img"
      aria-label={`${unit}s by day, ${total.toLocaleString("en")} in all; the numbers are below`}
      className="h-60 min-w-0 overflow-hidden"
    />
  );
}

function dataOf(days: UsageTotal[]): uPlot.AlignedData {
  return [
    days.map((day) => Date.parse(day.name) / 1000),
    days.map((day) => (day.quantity > 0 ? day.quantity : null)),
  ];
}

function optionsOf(element: HTMLElement, unit: string): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  const axis = {
    stroke: colour("--muted"),
    font: "12px Inter, sans-serif",
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: heightPx,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: true }, y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_plot, ticks) => ticks.map((tick) => dayName.format(tick * 1000)),
      },
      { ...axis, size: axisSizePx, values: (_plot, ticks) => ticks.map((tick) => compact.format(tick)) },
    ],
    series: [
      {},
      {
        label: `${unit}s`,
        fill: colour("--accent-fill"),
        stroke: colour("--accent-fill"),
        points: { show: false },
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [barShare, barMaxPx] }) }),
      },
    ],
  };
}

const dayName = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
