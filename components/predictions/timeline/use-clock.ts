"use client";

import { useEffect, useState } from "react";

/**
 * The time in milliseconds, renewed every `everyMs` while the page is visible. It starts with the server's
 * `initialMs`, so that the first paint in the browser is the one the server drew.
 */
export function useClock(initialMs: number, everyMs: number): number {
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
