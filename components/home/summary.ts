import type { Prediction } from "#contract/prediction.ts";
import type { Upload } from "#contract/upload.ts";
import type { Delivery } from "#contract/webhook.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** Outputs that go within this time are worth a reminder. */
const soonMs = 6 * hourMs;

export interface HomeSummary {
  running: number;
  succeeded: number;
  failed: number;
  /** Deliveries that only a person can send again. */
  deadLetters: number;
  /** Deliveries whose last attempt failed and that will be tried again. */
  failing: number;
  delivered: number;
  expiring: Expiring[];
}

/** Something whose files are removed soon. */
export interface Expiring {
  id: string;
  href: string;
  label: string;
  at: string;
}

interface Sources {
  predictions: readonly Prediction[];
  deliveries: readonly Delivery[];
  uploads: readonly Upload[];
}

/** What the home page says about the last 24 hours. */
export function summarise({ predictions, deliveries, uploads }: Sources, nowMs: number): HomeSummary {
  const count = (status: string) => predictions.filter((prediction) => prediction.status === status).length;
  // A delivery that was sent again by hand is settled by its successor.
  const live = deliveries.filter((delivery) => delivery.retried_as === null);
  return {
    running: count("starting") + count("processing"),
    succeeded: count("succeeded"),
    failed: count("failed"),
    deadLetters: live.filter((delivery) => delivery.status === "dead-letter").length,
    failing: live.filter((delivery) => delivery.status === "failed").length,
    delivered: live.filter((delivery) => delivery.status === "delivered").length,
    expiring: expiringSoon(predictions, uploads, nowMs),
  };
}

function expiringSoon(
  predictions: readonly Prediction[],
  uploads: readonly Upload[],
  nowMs: number,
): Expiring[] {
  const isSoon = (at: string | null): at is string =>
    at !== null && Date.parse(at) > nowMs && Date.parse(at) - nowMs < soonMs;
  const outputs = predictions.flatMap(({ id, model, status, data_removed, expires_at }) =>
    status === "succeeded" && !data_removed && isSoon(expires_at)
      ? [{ id, href: `/predictions/${id}`, label: model, at: expires_at }]
      : [],
  );
  const files = uploads.flatMap(({ id, filename, status, object_expires_at }) =>
    status === "verified" && isSoon(object_expires_at)
      ? [{ id, href: `/uploads?id=${id}`, label: filename ?? "Upload", at: object_expires_at }]
      : [],
  );
  return [...outputs, ...files].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
