import type { PredictionRow } from "./view.ts";

const words: Record<string, string> = {
  starting: "queued",
  processing: "in_progress",
  succeeded: "completed",
  failed: "failed",
  canceled: "failed",
};

/** A prediction in the words of OpenAI's video resource. */
export function videoView(row: PredictionRow): Record<string, unknown> {
  return {
    id: row.id,
    object: "video",
    model: row.model,
    status: words[row.status] ?? "in_progress",
    progress: row.progress ?? 0,
    created_at: Math.floor(row.createdAt.getTime() / 1000),
    completed_at: row.completedAt ? Math.floor(row.completedAt.getTime() / 1000) : null,
    expires_at: row.expiresAt ? Math.floor(row.expiresAt.getTime() / 1000) : null,
    prompt: typeof row.input?.prompt === "string" ? row.input.prompt : null,
    seconds: row.input?.duration === undefined ? null : String(row.input.duration),
    size: row.input?.resolution ?? null,
    error:
      row.status === "canceled" ? { code: "canceled", message: "The prediction was canceled." } : row.error,
  };
}
