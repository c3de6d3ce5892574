/** The constants of webhooks, without their schemas, which pages do not need. */

/** What an endpoint gets unless it says otherwise: the events of the specification. */
export const defaultEventTypes = [
  "prediction.succeeded",
  "prediction.failed",
  "prediction.canceled",
] as const;

/** What an endpoint may subscribe to; `endpoint.test` is always sent, only to the tested endpoint. */
export const subscribableEventTypes = [
  ...defaultEventTypes,
  "batch.finished",
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
  "budget.threshold",
] as const;

export const eventTypes = [...subscribableEventTypes, "endpoint.test"] as const;
export type EventType = (typeof eventTypes)[number];

export const endpointStatuses = ["enabled", "disabled", "auto-disabled"] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** `waiting`: its endpoint is disabled; enabling it sends or drops the waiting deliveries. */
export const deliveryStatuses = [
  "pending",
  "waiting",
  "delivered",
  "failed",
  "dead-letter",
  "canceled",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What may follow each delivery status; an empty list is terminal. */
export const deliveryTransitions: Record<DeliveryStatus, readonly DeliveryStatus[]> = {
  pending: ["waiting", "delivered", "failed", "dead-letter", "canceled"],
  waiting: ["pending", "failed", "dead-letter", "canceled"],
  failed: ["waiting", "delivered", "failed", "dead-letter", "canceled"],
  delivered: [],
  "dead-letter": [],
  /** By an attempt that was in flight when its endpoint was deleted. */
  canceled: ["delivered"],
};

/** Only these may be retried manually (specification, "Webhook delivery"). */
export const retryableDeliveryStatuses: readonly DeliveryStatus[] = ["failed", "dead-letter"];

export const deliveryTriggers = ["automatic", "manual", "bulk", "test"] as const;
export type DeliveryTrigger = (typeof deliveryTriggers)[number];

export const deliveryErrorCodes = [
  "blocked_address",
  "dns_error",
  "connect_refused",
  "connect_timeout",
  "connection_reset",
  "tls_error",
  "timeout",
  "http_3xx",
  "http_4xx",
  "http_5xx",
  "invalid_response",
  "interrupted",
  "stale_connection",
  "payload_expired",
] as const;
export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number];

/** Attempts per delivery before `dead-letter` (specification, "Limits"). */
export const maxDeliveryAttempts = 8;

/** The longest URL of an endpoint, in characters. */
export const endpointUrlMaxLength = 2048;
