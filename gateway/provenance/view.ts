import { isId } from "#contract/ids.ts";
import type { Manifest, Output, Provenance } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import type { outputs } from "#gateway/database/schema.ts";
import { previewUrl } from "#gateway/previews/url.ts";
import { outputUrl } from "#gateway/storage/signed-urls.ts";
import { notRead } from "./reader.ts";

export type OutputRow = typeof outputs.$inferSelect;
/** One whose file is there. */
export type StoredRow = OutputRow & { key: string };

export function outputView(context: Context, row: StoredRow): Output {
  return {
    id: row.id,
    object: "output",
    run_id: row.runId,
    prediction_id: predictionOf(row),
    model: row.model,
    api_type: row.apiType,
    url: outputUrl(context, row.key, { expiresAt: row.expiresAt }),
    preview_url: previewUrl(context, row),
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    sandbox: row.sandbox,
    provenance: provenanceView(row.manifest, row.sha256),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}

export function predictionOf({ runId }: Pick<OutputRow, "runId">): string | null {
  return isId("prediction", runId) ? runId : null;
}

export function provenanceView(manifest: Manifest | null, sha256: string | null): Provenance {
  return { ...(manifest ?? notRead), sha256 };
}
