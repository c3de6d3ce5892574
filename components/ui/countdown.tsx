"use client";

import { useEffect, useRef } from "react";
import { useFormats, useWords } from "#words";
import { useNow } from "./time.tsx";

interface CountdownProps {
  until: string;
  onEnd?: () => void;
  /** Shown when the time is over. */
  ended?: string;
}

/** Remaining time, e.g. `23 h 4 m`. Screen readers do not announce its updates. */
export function Countdown({ until, onEnd, ended }: CountdownProps) {
  const t = useWords("ui");
  const format = useFormats();
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
      title={format.time(until)}
      suppressHydrationWarning
      className="tabular whitespace-nowrap"
    >
      {over ? (ended ?? t("now")) : format.countdown(untilMs - now)}
    </time>
  );
}
