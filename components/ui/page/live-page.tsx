"use client";

import { Pause, Play } from "lucide-react";
import { useEffect, useState } from "react";
import { useWords } from "#words";
import { currentReach } from "@/lib/browser/gateway";
import { Button } from "../button.tsx";
import { Time } from "../time.tsx";
import { usePageRouter } from "./link.tsx";

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

interface LiveSwitchProps {
  paused: boolean;
  onChange: (paused: boolean) => void;
  updatedAtMs: number;
}

/** Shows whether the list updates itself, and pauses or resumes it. */
export function LiveSwitch({ paused, onChange, updatedAtMs }: LiveSwitchProps) {
  const t = useWords("ui");
  return (
    <>
      {paused && (
        <span className="text-table text-muted">
          {t.rich(
            "updatedAt",
            {},
            {
              time: () => <Time key="time" value={new Date(updatedAtMs).toISOString()} />,
            },
          )}
        </span>
      )}
      <Button
        aria-pressed={paused}
        icon={paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
        onClick={() => onChange(!paused)}
      >
        {paused ? t("resumeLive") : t("pauseLive")}
      </Button>
    </>
  );
}
