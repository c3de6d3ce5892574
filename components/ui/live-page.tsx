"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { LiveSwitch } from "./live-switch.tsx";

const renewEveryMs = 30_000;

/** Renews a page that the server draws, while somebody looks at it and until it is paused. */
export function LivePage({ drawnAtMs }: { drawnAtMs: number }) {
  const router = useRouter();
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    if (paused) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && navigator.onLine) router.refresh();
    }, renewEveryMs);
    return () => clearInterval(timer);
  }, [paused, router]);
  return <LiveSwitch paused={paused} onChange={setPaused} updatedAtMs={drawnAtMs} />;
}
