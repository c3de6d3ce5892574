import { type DeliveryErrorCode, deliveryErrorCodes } from "#contract/webhook-constants.ts";

/** The short name of each `error_code` of an attempt; how to fix it is in remedies.ts. */
const labels: Record<DeliveryErrorCode, string> = {
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

export function isKnownError(code: string): code is DeliveryErrorCode {
  return deliveryErrorCodes.some((known) => known === code);
}

/** The short name of an attempt's error; an unknown code is shown as it is. */
export function errorLabel(code: string): string {
  return isKnownError(code) ? labels[code] : code;
}
