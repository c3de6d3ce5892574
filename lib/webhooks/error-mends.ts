import type { DeliveryErrorCode } from "#contract/webhook-words.ts";
import { isKnownError } from "./error-labels.ts";

/** What mends each `error_code` of an attempt. */
const mends: Record<DeliveryErrorCode, string> = {
  blocked_address: "The host name leads to a private or reserved address. Point it at a public one.",
  dns_error: "Check the host name in the endpoint's URL and its DNS records.",
  connect_refused: "Nothing listens at this address and port. Start the receiver or open its firewall.",
  connect_timeout: "The host does not answer. Look for a firewall that drops packets in silence.",
  connection_reset: "The receiver, or a proxy before it, closed the connection before it answered.",
  tls_error: "Check the certificate: expired, wrong name, or its chain is incomplete.",
  timeout: "Answer first, work later: store the event, send 2xx, and handle it afterwards.",
  http_3xx: "Redirects are never followed. Set the endpoint's URL to the final address.",
  http_4xx: "See the response: the receiver refused the request.",
  http_5xx: "See the response and the receiver's own log.",
  invalid_response: "The receiver's answer was no valid HTTP.",
  interrupted: "The gateway stopped in the middle. It tries again; this does not use up an attempt.",
};

/** What to do about an attempt's error, or null when nobody knows. */
export function errorMend(code: string): string | null {
  return isKnownError(code) ? mends[code] : null;
}
