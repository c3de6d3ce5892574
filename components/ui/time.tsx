"use client";

import { useEffect, useState } from "react";
import { useFormats } from "#words";

interface TimeProps {
  /** RFC 3339. Null shows a dash. */
  value: string | null;
  mode?: "relative" | "absolute";
}

interface Ticker {
  listeners: Set<(nowMs: number) => void>;
  stop(): void;
}

/** One timer for each interval: everything that shows the time changes at once, in one render. */
const tickers = new Map<number, Ticker>();

/**
 * A point in time: relative in lists (exact on hover), absolute on detail pages, in the zone of the settings.
 */
export function Time({ value, mode = "relative" }: TimeProps) {
  const format = useFormats();
  const atMs = value ? Date.parse(value) : Number.NaN;
  const now = useNow(mode === "relative" && value ? tickOf(atMs) : null);
  if (!value || Number.isNaN(atMs)) return <span className="text-faint">–</span>;
  const exact = format.time(value);
  return (
    <time
      dateTime={value}
      title={exact}
      suppressHydrationWarning
      // Where a narrow phone has no room for a whole time, it breaks at its spaces.
      className="tabular whitespace-nowrap max-phone:inline-block max-phone:break-keep max-phone:whitespace-normal"
    >
      {mode === "relative" ? format.relative(atMs, now) : exact}
    </time>
  );
}

/** The time in milliseconds, updated every `everyMs` while the page is visible. Null stops it. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now());

  useEffect(() => {
    if (everyMs === null) return;
    setNow(Date.now());
    return listen(everyMs, setNow);
  }, [everyMs]);

  return now;
}

function listen(everyMs: number, listener: (nowMs: number) => void): () => void {
  const ticker = tickers.get(everyMs) ?? start(everyMs);
  ticker.listeners.add(listener);
  return () => {
    ticker.listeners.delete(listener);
    if (ticker.listeners.size > 0) return;
    ticker.stop();
    tickers.delete(everyMs);
  };
}

function start(everyMs: number): Ticker {
  const listeners: Ticker["listeners"] = new Set();
  const tick = () => {
    if (document.visibilityState !== "visible") return;
    const now = Date.now();
    for (const listener of listeners) listener(now);
  };
  const timer = setInterval(tick, everyMs);
  document.addEventListener("visibilitychange", tick);
  const ticker = {
    listeners,
    stop() {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    },
  };
  tickers.set(everyMs, ticker);
  return ticker;
}

const minuteMs = 60_000;

function tickOf(atMs: number): number {
  return Math.abs(Date.now() - atMs) < minuteMs ? 1000 : 30_000;
}
