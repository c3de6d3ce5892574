import { byName } from "#contract/by-name.ts";
import type { Video } from "#contract/video.ts";
import type { Clearance } from "#gateway/models/catalog/clearance.ts";
import type { PredictionRow } from "./view.ts";

const statuses = byName<Video["status"]>({
  starting: "queued",
  processing: "in_progress",
  succeeded: "completed",
  failed: "failed",
  canceled: "failed",
});

/** A prediction as OpenAI's video resource; without its prompt for a reader who lacks an attestation. */
export function videoView(row: PredictionRow, clearance: Clearance): Video {
  const prompt = clearance.missing(row.model) === null ? row.input?.prompt : null;
  return {
    id: row.id,
    object: "video",
    model: row.model,
    status: statuses[row.status] ?? "in_progress",
    progress: row.progress ?? 0,
    created_at: Math.floor(row.createdAt.getTime() / 1000),
    completed_at: row.completedAt ? Math.floor(row.completedAt.getTime() / 1000) : null,
    expires_at: row.expiresAt ? Math.floor(row.expiresAt.getTime() / 1000) : null,
    prompt: typeof prompt === "string" ? prompt : null,
    seconds: row.input?.duration === undefined ? null : String(row.input.duration),
    size: row.input?.resolution ?? null,
    remixed_from_video_id: null,
    error:
      row.status === "canceled" ? { code: "canceled", message: "The prediction was canceled." } : row.error,
  };
}
