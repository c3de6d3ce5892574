"use client";

import { useEffect, useState } from "react";

interface Ticker {
  listeners: Set<(nowMs: number) => void>;
  stop(): void;
}

/** One timer for each interval: everything that shows the time changes at once, in one render. */
const tickers = new Map<number, Ticker>();

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
