import type { ApiType, BillingUnit } from "#contract/catalog.ts";
import type { OutputFile, Prediction } from "#contract/prediction.ts";
import { costView } from "#gateway/billing/prices/price-lines.ts";
import type { Clearance } from "#gateway/models/catalog/clearance.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { predictions } from "#gateway/platform/database/schema.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Manifests } from "#gateway/runs/provenance/find-outputs.ts";
import { provenanceView } from "#gateway/runs/provenance/read.ts";

export type PredictionRow = typeof predictions.$inferSelect;

/**
 * The prediction for a reader with this clearance, with the known content of its files' manifests. Events
 * show it without its input.
 */
export function predictionView(
  context: RunsContext,
  row: PredictionRow,
  clearance: Clearance,
  manifests?: Manifests,
): Prediction {
  const { model } = row;
  const gated = clearance.missing(model);
  const self = predictionUrl(context, row.id);
  // Before it has succeeded, some outputs are not stored yet.
  const outputs = row.status === "succeeded" ? row.outputs : null;
  const expiresAt = row.expiresAt ?? clock.date();
  const data = outputs?.map(
    (output, index): OutputFile => ({
      ...clearance.addresses(context, { ...output, model, expiresAt }),
      content_type: output.contentType,
      size_bytes: output.sizeBytes,
      width: output.width,
      height: output.height,
      duration: output.duration,
      provenance: provenanceView(manifests?.get(index + 1) ?? null, output.sha256 ?? null),
    }),
  );
  const urls = data?.flatMap(({ url }) => url ?? []) ?? null;
  return {
    id: row.id,
    object: "prediction",
    model,
    api_type: row.apiType as ApiType,
    status: row.status,
    poll_url: self,
    svc_region: row.svcRegion,
    urls: { get: self, cancel: `${self}/cancel` },
    input: gated === null ? row.input : null,
    // Replicate's clients expect a video as one URL and images as an array.
    output: row.apiType === "video-generation" ? (urls?.[0] ?? null) : gated === null ? urls : null,
    gated,
    data: data ?? null,
    error: row.error,
    metrics: {
      queue_time: seconds(row.createdAt, row.startedAt),
      predict_time: seconds(row.startedAt, row.completedAt),
      total_time: seconds(row.createdAt, row.completedAt),
    },
    usage:
      row.usageUnit && row.usageQuantity !== null
        ? { unit: row.usageUnit as BillingUnit, quantity: row.usageQuantity }
        : null,
    cost: costView(row, context.prices.book.currency),
    progress: row.progress,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    data_removed: row.dataRemovedAt !== null,
    request_id: row.requestId,
    ...(row.alias !== null && { alias: row.alias }),
    metadata: row.metadata,
    sandbox: row.sandbox,
    timeline: row.timeline,
  };
}

export function predictionUrl(context: RunsContext, id: string): string {
  return `${context.config.publicUrl}/v1/predictions/${id}`;
}

function seconds(from: Date | null, to: Date | null): number | null {
  return from && to ? Math.max(0, to.getTime() - from.getTime()) / 1000 : null;
}
