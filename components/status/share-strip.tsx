"use client";

import { type PointerEvent, useState } from "react";
import {
  type DayShare,
  dayLabel,
  daysInWords,
  levelOf,
  type ShareLevel,
  shareLabel,
} from "@/lib/status/shares";

const [cell, gap, height] = [8, 2, 24];
/** Lower where more failed, so that it is read without colours, too. */
const heights: Record<ShareLevel, number> = { good: height, warn: 17, bad: 10, none: 3 };
const fills: Record<ShareLevel, string> = {
  good: "fill-good",
  warn: "fill-warn",
  bad: "fill-bad",
  none: "fill-strong",
};
const levels = Object.keys(heights) as ShareLevel[];

/** A bar for each day. A pointer on it says the day; the same is in the table below and in words for screen readers. */
export function ShareStrip({ name, days }: { name: string; days: readonly DayShare[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const width = days.length * cell - gap;
  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const box = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - box.left) / box.width) * days.length);
    setPointed(Math.min(days.length - 1, Math.max(0, index)));
  };
  const day = pointed === null ? undefined : days[pointed];
  return (
    <div className="relative">
      <svg
        role="img"
        aria-label={`${name}, last ${days.length} days. ${daysInWords(days)}`}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-6 w-full"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointed(null)}
      >
        {levels.map((level) => (
          <path key={level} d={barsOf(days, level)} className={fills[level]} />
        ))}
      </svg>
      {day && pointed !== null && (
        <span
          aria-hidden
          style={{ left: `${((pointed + 0.5) / days.length) * 100}%` }}
          className="pointer-events-none absolute bottom-full z-2 mb-1 -translate-x-1/2 rounded-control border bg-raised px-2 py-1 text-meta whitespace-nowrap text-ink shadow-float"
        >
          {dayLabel(day.day)}: {shareLabel(day.share)}
          {day.share !== null && " worked"}
        </span>
      )}
    </div>
  );
}

/** The bars of a level as one path. */
function barsOf(days: readonly DayShare[], level: ShareLevel): string {
  const tall = heights[level];
  return days
    .map(({ share }, index) =>
      levelOf(share) === level
        ? `M${index * cell} ${height - tall}h${cell - gap}v${tall}h-${cell - gap}z`
        : "",
    )
    .join("");
}
