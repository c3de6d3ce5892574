"use client";

import { useEffect, useState } from "react";

/** The time in milliseconds, renewed every `everyMs` while the page is visible; null `everyMs` stops it. */
export function useNow(everyMs: number | null): number {
  const [now, setNow] = useState(() => Date.now());

  useEffect(() => {
    if (everyMs === null) return;
    const tick = () => document.visibilityState === "visible" && setNow(Date.now());
    tick();
    const timer = setInterval(tick, everyMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [everyMs]);

  return now;
}
