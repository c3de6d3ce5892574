import type { Resend } from "#contract/resends.ts";
import type { ResendRow } from "./selection.ts";

/** A run as the API shows it. */
export function resendView(row: ResendRow, endpointStatus: string): Resend & { id: string } {
  return {
    id: row.id,
    object: "webhook.resend",
    endpoint_id: row.endpointId,
    status: row.status,
    since: row.since.toISOString(),
    until: row.until.toISOString(),
    types: row.types,
    include: row.include,
    rate_per_second: row.ratePerSecond,
    total: row.total,
    queued: row.sent,
    gone: row.gone,
    waits_for: row.status === "running" && endpointStatus !== "enabled" ? "endpoint" : null,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}
