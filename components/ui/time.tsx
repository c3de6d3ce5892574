"use client";

import { useEffect, useRef } from "react";
import { usePreferences } from "@/components/shell/preferences";
import { formatCountdown, formatRelative, formatTime } from "@/lib/format";
import { useNow } from "./use-now.ts";

const minuteMs = 60_000;

interface TimeProps {
  /** RFC 3339. Null shows a dash. */
  value: string | null;
  mode?: "relative" | "absolute";
}

/**
 * A point in time: relative in lists (exact on hover), absolute on detail pages, in the zone of the settings.
 */
export function Time({ value, mode = "relative" }: TimeProps) {
  const { timeZone } = usePreferences();
  const atMs = value ? Date.parse(value) : Number.NaN;
  const now = useNow(mode === "relative" && value ? tickOf(atMs) : null);
  if (!value || Number.isNaN(atMs)) return <span className="text-faint">–</span>;
  const exact = formatTime(value, timeZone);
  return (
    <time dateTime={value} title={exact} suppressHydrationWarning className="tabular whitespace-nowrap">
      {mode === "relative" ? formatRelative(atMs, now) : exact}
    </time>
  );
}

function tickOf(atMs: number): number {
  return Math.abs(Date.now() - atMs) < minuteMs ? 1000 : 30_000;
}

interface CountdownProps {
  until: string;
  onEnd?: () => void;
  /** Shown when the time is over. */
  ended?: string;
}

/** Remaining time, e.g. `23 h 4 m`. Screen readers do not announce its updates. */
export function Countdown({ until, onEnd, ended = "now" }: CountdownProps) {
  const { timeZone } = usePreferences();
  const untilMs = Date.parse(until);
  const now = useNow(1000);
  const over = now >= untilMs;
  const hasEnded = useRef(false);

  useEffect(() => {
    if (!over || hasEnded.current) return;
    hasEnded.current = true;
    onEnd?.();
  }, [over, onEnd]);

  return (
    <time
      dateTime={until}
      title={formatTime(until, timeZone)}
      suppressHydrationWarning
      className="tabular whitespace-nowrap"
    >
      {over ? ended : formatCountdown(untilMs - now)}
    </time>
  );
}
