"use client";

import type { Prediction } from "#contract/prediction.ts";
import type { Delivery, DeliveryDetail } from "#contract/webhook.ts";
import { predictionRows } from "@/lib/timeline/prediction-rows";
import { isOpen } from "@/lib/timeline/row";
import { Timeline } from "./timeline.tsx";
import { useClock } from "./use-clock.ts";

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
