import {
  type Attempt,
  type Delivery,
  type DeliveryTrigger,
  deliveryTriggers,
  maxDeliveryAttempts,
} from "#contract/webhook.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import {
  type webhookAttempts,
  type webhookDeliveries,
  webhookEndpoints,
} from "#gateway/platform/database/schema.ts";

import { isReceiving, shownCallbackUrl } from "../callbacks.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type AttemptRow = typeof webhookAttempts.$inferSelect;

/** The endpoint's part of a delivery's view. */
export interface ReceivingEndpoint {
  status: string;
  description: string | null;
  ratePerSecond: number | null;
}

/** The columns of an endpoint needed for a delivery's view. */
export const receivingEndpoint = {
  status: webhookEndpoints.status,
  description: webhookEndpoints.description,
  ratePerSecond: webhookEndpoints.ratePerSecond,
};

/**
 * A delivery in the API's form. While its endpoint is not enabled no next attempt is shown, whatever the row
 * says.
 */
export function deliveryView(row: DeliveryRow, endpoint: ReceivingEndpoint): Delivery {
  const isCallback = endpoint.status === "callback";
  return {
    id: row.id,
    object: "webhook.delivery",
    event_id: row.eventId,
    event_type: row.eventType,
    endpoint_id: row.endpointId,
    endpoint_description: endpoint.description,
    url: isCallback ? shownCallbackUrl(row.url) : row.url,
    callback: isCallback,
    prediction_id: row.predictionId,
    status: row.status,
    trigger: triggerOf(row.trigger),
    attempts: row.attempts,
    max_attempts: maxDeliveryAttempts,
    last_error: row.lastError,
    last_status_code: row.lastStatusCode,
    next_attempt_at: isReceiving(endpoint.status) ? (row.nextAttemptAt?.toISOString() ?? null) : null,
    waits_for: waitsFor(row, endpoint),
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    retry_of: row.retryOf,
    retried_as: row.retriedAs,
  };
}

/** One attempt in the API's form; `body`: the event's fixed body, null once removed. */
export function attemptView(row: AttemptRow, body: string | null): Attempt {
  return {
    id: row.id,
    number: row.number,
    started_at: row.startedAt.toISOString(),
    duration_ms: row.durationMs,
    url: row.url,
    remote_ip: row.remoteIp,
    // Every request has headers, so an empty record means that nothing was sent, or that the worker died and
    // this is unknown.
    request_headers: Object.keys(row.requestHeaders).length === 0 ? null : row.requestHeaders,
    request_body: body,
    response_status: row.responseStatus,
    response_headers: row.responseHeaders,
    response_body: row.responseBody,
    response_body_truncated: row.responseBodyTruncated,
    error_code: row.errorCode,
    error_detail: row.errorDetail,
    timings: row.timings,
  };
}

/** A leased delivery is about to be sent, or waits in a worker until the endpoint's rate limit allows it. */
function waitsFor(
  { status, nextAttemptAt }: DeliveryRow,
  endpoint: ReceivingEndpoint,
): Delivery["waits_for"] {
  if (status === "waiting") return "endpoint";
  const isDue =
    (status === "pending" || status === "failed") &&
    nextAttemptAt !== null &&
    nextAttemptAt.getTime() <= clock.now();
  if (!isDue) return null;
  if (!isReceiving(endpoint.status)) return "endpoint";
  return endpoint.ratePerSecond === null ? null : "rate";
}

function triggerOf(text: string): DeliveryTrigger {
  return deliveryTriggers.find((trigger) => trigger === text) ?? "automatic";
}
