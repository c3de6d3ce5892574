import type { EndpointRow } from "../endpoints/view.ts";

/** `data.object` of an event about an endpoint. */
export function endpointObject(row: EndpointRow) {
  return {
    id: row.id,
    object: "webhook.endpoint",
    url: row.url,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabledReason,
    consecutive_failures: row.consecutiveFailures,
    failing_since: row.failingSince?.toISOString() ?? null,
    last_success_at: row.lastSuccessAt?.toISOString() ?? null,
    last_failure_at: row.lastFailureAt?.toISOString() ?? null,
  };
}
