"use client";

import { useEffect, useState } from "react";
import type { Prediction } from "#contract/prediction.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { predictionRows } from "@/lib/timeline/prediction-rows";
import { isOpen } from "@/lib/timeline/row";
import { Timeline } from "./timeline.tsx";

/** While something runs its timer shows tenths; a wait for the removal needs no more than seconds. */
const runningTickMs = 200;
const waitingTickMs = 1000;

interface PredictionTimelineProps {
  prediction: Prediction;
  deliveries: (Delivery | DeliveryDetail)[];
  /** The server's clock when it drew the page. */
  initialNowMs: number;
}

/** The timeline of a prediction, from submission to removal, updated while it runs. */
export function PredictionTimeline({ prediction, deliveries, initialNowMs }: PredictionTimelineProps) {
  const running = predictionRows(prediction, [], initialNowMs).some(
    (row) => (row.kind === "queue" || row.kind === "run") && isOpen(row),
  );
  const nowMs = useClock(initialNowMs, running ? runningTickMs : waitingTickMs);
  return (
    <Timeline
      rows={predictionRows(prediction, deliveries, nowMs)}
      nowMs={nowMs}
      label="Timeline of this prediction"
    />
  );
}

/**
 * The time in milliseconds, renewed every `everyMs` while the page is visible. It starts with the server's
 * `initialMs`, so that the first paint in the browser is the one the server drew.
 */
function useClock(initialMs: number, everyMs: number): number {
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
