import type { Prediction } from "#contract/prediction.ts";
import type { Upload } from "#contract/upload.ts";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** Remind people of outputs that are removed within this time. */
export const soonMs = 6 * hourMs;

/** A prediction or upload whose files are removed soon. */
export interface Expiring {
  id: string;
  href: string;
  label: string;
  at: string;
}

/** Whether the prediction's files are removed within hours. */
export function goesSoon({ status, data_removed, expires_at }: Prediction, nowMs: number): boolean {
  return status === "succeeded" && !data_removed && isSoon(expires_at, nowMs);
}

/** Predictions and uploads whose files are removed within hours, the next to go first. */
export function expiringSoon(
  predictions: readonly Prediction[],
  uploads: readonly Upload[],
  nowMs: number,
): Expiring[] {
  const outputs = predictions.flatMap((prediction) =>
    goesSoon(prediction, nowMs) && prediction.expires_at
      ? [
          {
            id: prediction.id,
            href: `/predictions/${prediction.id}`,
            label: prediction.model,
            at: prediction.expires_at,
          },
        ]
      : [],
  );
  const files = uploads.flatMap(({ id, filename, status, object_expires_at }) =>
    status === "verified" && object_expires_at && isSoon(object_expires_at, nowMs)
      ? [{ id, href: "/uploads", label: filename ?? "Upload", at: object_expires_at }]
      : [],
  );
  return [...outputs, ...files].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function isSoon(at: string | null, nowMs: number): boolean {
  if (at === null) return false;
  const leftMs = Date.parse(at) - nowMs;
  return leftMs > 0 && leftMs < soonMs;
}
