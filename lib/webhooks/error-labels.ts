import { type DeliveryErrorCode, deliveryErrorCodes } from "#contract/webhook-words.ts";

/** The short name of each `error_code` of an attempt; what mends it stands in error-mends.ts. */
const labels: Record<DeliveryErrorCode, string> = {
  blocked_address: "Address not allowed",
  dns_error: "Host not found",
  connect_refused: "Connection refused",
  connect_timeout: "No connection in time",
  connection_reset: "Connection broken",
  tls_error: "TLS failed",
  timeout: "No answer in 10 s",
  http_3xx: "Redirect",
  http_4xx: "Refused by the receiver",
  http_5xx: "Receiver failed",
  invalid_response: "Unreadable answer",
  interrupted: "Interrupted",
};

export function isKnownError(code: string): code is DeliveryErrorCode {
  return deliveryErrorCodes.some((known) => known === code);
}

/** The short name of an attempt's error; an unknown code stands for itself. */
export function errorLabel(code: string): string {
  return isKnownError(code) ? labels[code] : code;
}
