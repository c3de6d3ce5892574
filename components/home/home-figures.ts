import type { Counted } from "#contract/counted.ts";
import type { PredictionStatus } from "#contract/prediction-constants.ts";
import { type DeliveryStatus, maxDeliveryAttempts } from "#contract/webhook-constants.ts";
import type { Tone } from "@/lib/status/tone";
import type { Figure, FigureGroup } from "./figures.tsx";

/** Counts of the last 24 hours; null or missing if unknown. */
export interface HomeCounts {
  predictions: Partial<Record<PredictionStatus, Counted>> | null;
  deliveries: Partial<Record<DeliveryStatus, Counted>> | null;
}

interface Shown<Status> {
  status: Status;
  label: string;
  hint?: string;
  tone?: Tone;
}

const shownPredictions: readonly Shown<PredictionStatus>[] = [
  { status: "starting", label: "Starting" },
  { status: "processing", label: "Processing", tone: "busy" },
  { status: "succeeded", label: "Succeeded" },
  { status: "failed", label: "Failed", tone: "bad" },
  { status: "canceled", label: "Canceled" },
];
const shownDeliveries: readonly Shown<DeliveryStatus>[] = [
  { status: "delivered", label: "Delivered" },
  { status: "failed", label: "Retrying", tone: "warn" },
  { status: "waiting", label: "Waiting", hint: "their endpoint is disabled", tone: "warn" },
  {
    status: "dead-letter",
    label: "Dead letters",
    hint: `gave up after ${maxDeliveryAttempts} attempts`,
    tone: "bad",
  },
];

/** The counts of the last 24 hours, each linked to its list. */
export function homeFigures({ predictions, deliveries }: HomeCounts): FigureGroup[] {
  return [
    { title: "Predictions", figures: figuresOf(shownPredictions, predictions, "/predictions?since=24h") },
    {
      title: "Deliveries",
      figures: figuresOf(shownDeliveries, deliveries, "/webhooks/deliveries?since=24h"),
    },
  ].filter(({ figures }) => figures.length > 0);
}

function figuresOf<Status extends string>(
  shown: readonly Shown<Status>[],
  counts: Partial<Record<Status, Counted>> | null,
  list: string,
): Figure[] {
  return shown.flatMap(({ status, ...look }) => {
    const count = counts?.[status];
    return count ? [{ ...look, count, href: `${list}&status=${status}` }] : [];
  });
}
