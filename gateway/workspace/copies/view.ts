import { type Copy, type CopyAttempt, type CopyDetail, maxCopyAttempts } from "#contract/copies.ts";
import type { copies } from "#gateway/platform/database/schema.ts";
import type { CopyTry } from "#gateway/platform/database/tables/workspace.ts";
import type { OutputRow } from "#gateway/runs/provenance/record.ts";
import { predictionOf } from "#gateway/runs/provenance/view.ts";

export type CopyRow = typeof copies.$inferSelect;

export function copyView(row: CopyRow, output: OutputRow): Copy {
  const isOpen = row.status === "pending";
  return {
    id: row.id,
    object: "copy",
    destination_id: row.destinationId,
    output_id: row.outputId,
    run_id: output.runId,
    prediction_id: predictionOf(output),
    model: output.model,
    content_type: output.contentType,
    size_bytes: output.sizeBytes,
    sha256: output.sha256,
    status: row.status,
    trigger: row.trigger,
    attempts: row.tries,
    max_attempts: maxCopyAttempts,
    last_error: row.status === "succeeded" || row.tries === 0 ? null : (row.attempts.at(-1)?.error ?? null),
    next_attempt_at: isOpen ? (row.nextAttemptAt?.toISOString() ?? null) : null,
    object_name: row.objectName,
    created_at: row.createdAt.toISOString(),
    copied_at: row.copiedAt?.toISOString() ?? null,
  };
}

export function copyDetail(row: CopyRow, output: OutputRow): CopyDetail {
  return { ...copyView(row, output), attempt_log: row.attempts.map(attemptView) };
}

function attemptView({ at, durationMs, statusCode, error, serverCode }: CopyTry): CopyAttempt {
  return { at, duration_ms: durationMs, status_code: statusCode, error, server_code: serverCode };
}
