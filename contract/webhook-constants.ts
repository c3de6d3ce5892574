/** The constants of webhooks. They are apart from the schemas because pages do not need the schemas. */

/** The events that an endpoint gets by default: those of the specification. */
export const defaultEventTypes = [
  "prediction.succeeded",
  "prediction.failed",
  "prediction.canceled",
] as const;

/**
 * Events about an endpoint or a delivery. They are sent to the account's other endpoints, because a broken
 * endpoint cannot report itself.
 */
export const endpointEventTypes = [
  "endpoint.failing",
  "endpoint.disabled",
  "endpoint.recovered",
  "delivery.exhausted",
] as const;

/** Other changes about which people get a notice and programs get an event. */
export const noticeEventTypes = [
  "outputs.expiring",
  "attestation.withdrawn",
  "key.expiring",
  "member.joined",
  "copy.exhausted",
] as const;
export type NoticeEventType = (typeof noticeEventTypes)[number];

/**
 * The events to which an endpoint may subscribe. `endpoint.test` is not among them: it is sent only to the
 * endpoint under test.
 */
export const subscribableEventTypes = [
  ...defaultEventTypes,
  "batch.finished",
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
  "budget.threshold",
  ...noticeEventTypes,
  ...endpointEventTypes,
] as const;

export const eventTypes = [...subscribableEventTypes, "endpoint.test"] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * `paused`: somebody paused the endpoint. Like a disabled endpoint, it gets nothing, but nobody is notified
 * and its earlier failures still count.
 */
export const endpointStatuses = ["enabled", "paused", "disabled", "auto-disabled"] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** What lists of endpoints filter by: a status, or `failing` for an enabled endpoint that accepts no event. */
export const endpointConditions = [...endpointStatuses, "failing"] as const;

/**
 * Why an endpoint is disabled: a person disabled it, it failed for days, or its receiver answered `410 Gone`
 * or sent the header that stops deliveries.
 */
export const disabledReasons = ["manual", "failing", "gone", "stopped"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** A receiver that answers with this header and the value `stop` gets no further deliveries. */
export const stopHeader = { name: "x-svc-deliveries", value: "stop" } as const;

/** From this many failures in a row, an enabled endpoint counts as failing, and `endpoint.failing` is sent. */
export const failuresUntilReported = 4;

/** `waiting`: the endpoint is paused or disabled. Enabling it sends or drops the waiting deliveries. */
export const deliveryStatuses = [
  "pending",
  "waiting",
  "delivered",
  "failed",
  "dead-letter",
  "canceled",
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The statuses that may follow each delivery status. A status with an empty list is final. */
export const deliveryTransitions: Record<DeliveryStatus, readonly DeliveryStatus[]> = {
  pending: ["waiting", "delivered", "failed", "dead-letter", "canceled"],
  waiting: ["pending", "failed", "dead-letter", "canceled"],
  failed: ["waiting", "delivered", "failed", "dead-letter", "canceled"],
  delivered: [],
  "dead-letter": [],
  /** The error of an attempt that was in flight when its endpoint was deleted. */
  canceled: ["delivered"],
};

/** The statuses in which a delivery may be retried by hand (specification, "Webhook delivery"). */
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

/** The short name of each `error_code` of an attempt. */
export const deliveryErrorLabels: Record<DeliveryErrorCode, string> = {
  blocked_address: "Address not allowed",
  dns_error: "Host not found",
  connect_refused: "Connection refused",
  connect_timeout: "Connection timed out",
  connection_reset: "Connection lost",
  tls_error: "TLS failed",
  timeout: "No response in 10 s",
  http_3xx: "Redirect",
  http_4xx: "Rejected by the receiver",
  http_5xx: "Receiver error",
  invalid_response: "Invalid response",
  interrupted: "Interrupted",
  stale_connection: "Reused connection closed",
  payload_expired: "Content removed before delivery",
};

export function isDeliveryError(code: string): code is DeliveryErrorCode {
  return deliveryErrorCodes.some((known) => known === code);
}

/** Most attempts of a delivery before it becomes `dead-letter` (specification, "Limits"). */
export const maxDeliveryAttempts = 8;

/** The longest URL of an endpoint, in characters. */
export const endpointUrlMaxLength = 2048;

/** Texts of an endpoint, for its schema and its form. */
export const endpointFields = {
  url: { minLength: 1, maxLength: endpointUrlMaxLength },
  description: { maxLength: 500 },
} as const;

/** The headers that an endpoint may add to its deliveries. */
export const ownHeaderLimits = { count: 20, nameLength: 64, valueLength: 2048, totalLength: 8192 } as const;

/** The bounds of an endpoint's rate limit, in deliveries a second. */
export const endpointRate = { minimum: 1, maximum: 1000 } as const;

/** Most models, and most keys, in an endpoint's filter. */
export const maxFilterNames = 100;

/** Which events to send again: those that the endpoint has not accepted, or all. */
export const resendIncludes = ["missed", "all"] as const;
export type ResendInclude = (typeof resendIncludes)[number];

export const resendStatuses = ["running", "done", "stopped"] as const;
export type ResendStatus = (typeof resendStatuses)[number];

/** The header that names the receiver (callback URL) of a request, for bodies that have no field for it. */
export const callbackHeader = "x-svc-callback";

/** The events that a request may choose, by Replicate's names. `completed` is always sent. */
export const callbackEvents = ["start", "output", "logs", "completed"] as const;
export type CallbackEvent = (typeof callbackEvents)[number];

/** The body of a callback: one of our events, or the prediction as Replicate sends it. */
export type CallbackShape = "event" | "prediction";
