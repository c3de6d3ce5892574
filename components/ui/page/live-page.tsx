"use client";

import { useEffect, useState } from "react";
import { LiveSwitch } from "@/components/ui/list/live-switch";
import { currentReach } from "@/lib/browser/gateway";
import { usePageRouter } from "./use-place.ts";

const renewEveryMs = 30_000;

interface LivePageProps {
  drawnAtMs: number;
  everyMs?: number;
}

/** Refreshes a server-rendered page while it is visible and when somebody returns to it, unless paused. */
export function LivePage({ drawnAtMs, everyMs = renewEveryMs }: LivePageProps) {
  const router = usePageRouter();
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return;
    const renew = () => {
      // While the gateway cannot be reached, the last data stays.
      const canAsk = navigator.onLine && currentReach() === "reached";
      if (document.visibilityState === "visible" && canAsk) router.refresh();
    };
    const timer = setInterval(renew, everyMs);
    window.addEventListener("focus", renew);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", renew);
    };
  }, [paused, router, everyMs]);
  return <LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={drawnAtMs} />;
}
