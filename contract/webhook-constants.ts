/** The constants of webhooks, without their schemas, which pages do not need. */

/** The default events of an endpoint: those of the specification. */
export const defaultEventTypes = [
  "prediction.succeeded",
  "prediction.failed",
  "prediction.canceled",
] as const;

/**
 * About an endpoint or a delivery: sent to the other endpoints of the account, because a dead one cannot
 * report itself.
 */
export const endpointEventTypes = [
  "endpoint.failing",
  "endpoint.disabled",
  "endpoint.recovered",
  "delivery.exhausted",
] as const;

/** Changes that people get as notices and programs as events. Nothing else in the account is an event. */
export const noticeEventTypes = [
  "outputs.expiring",
  "attestation.withdrawn",
  "key.expiring",
  "member.joined",
  "copy.exhausted",
] as const;
export type NoticeEventType = (typeof noticeEventTypes)[number];

/**
 * The events that an endpoint may subscribe to; `endpoint.test` is always sent, only to the tested endpoint.
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
 * `paused`: by somebody, for a while. Like a disabled one it gets nothing, but no notice is sent and its
 * failures still count.
 */
export const endpointStatuses = ["enabled", "paused", "disabled", "auto-disabled"] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/**
 * Why an endpoint is disabled: by a person, after days of failures, by `410 Gone`, by the header that stops
 * deliveries.
 */
export const disabledReasons = ["manual", "failing", "gone", "stopped"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** A receiver that answers with this header and the value `stop` gets nothing more. */
export const stopHeader = { name: "x-svc-deliveries", value: "stop" } as const;

/** Failures in a row after which `endpoint.failing` is sent. */
export const failuresUntilReported = 4;

/** `waiting`: its endpoint is paused or disabled; enabling it sends or drops the waiting deliveries. */
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
  /** The end of an attempt that was in flight when its endpoint was deleted. */
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

/** Attempts per delivery before `dead-letter` (specification, "Limits"). */
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

/** The highest rate limit of an endpoint, in deliveries a second. */
export const maxRatePerSecond = 1000;

/** How many models, and how many keys, an endpoint's filter may name. */
export const maxFilterNames = 100;

/** The events to send again: those that the endpoint has not accepted, or all. */
export const resendIncludes = ["missed", "all"] as const;
export type ResendInclude = (typeof resendIncludes)[number];

export const resendStatuses = ["running", "done", "stopped"] as const;
export type ResendStatus = (typeof resendStatuses)[number];

/** The header that names the receiver of a request whose body has no place for it. */
export const callbackHeader = "x-svc-callback";

/** The events that a request may ask for, by Replicate's names. `completed` is always sent. */
export const callbackEvents = ["start", "output", "logs", "completed"] as const;
export type CallbackEvent = (typeof callbackEvents)[number];

/** The body of a callback: one of our events, or the prediction as Replicate sends it. */
export type CallbackShape = "event" | "prediction";
