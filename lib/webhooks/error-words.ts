import { type DeliveryErrorCode, deliveryErrorCodes } from "#contract/webhook-words.ts";

/** What each `error_code` of an attempt means and what mends it. */
const words: Record<DeliveryErrorCode, { label: string; mend: string }> = {
  blocked_address: {
    label: "Address not allowed",
    mend: "The host name leads to a private or reserved address. Point it at a public one.",
  },
  dns_error: {
    label: "Host not found",
    mend: "Check the host name in the endpoint's URL and its DNS records.",
  },
  connect_refused: {
    label: "Connection refused",
    mend: "Nothing listens at this address and port. Start the receiver or open its firewall.",
  },
  connect_timeout: {
    label: "No connection in time",
    mend: "The host does not answer. Look for a firewall that drops packets in silence.",
  },
  connection_reset: {
    label: "Connection broken",
    mend: "The receiver, or a proxy before it, closed the connection before it answered.",
  },
  tls_error: {
    label: "TLS failed",
    mend: "Check the certificate: expired, wrong name, or its chain is incomplete.",
  },
  timeout: {
    label: "No answer in 10 s",
    mend: "Answer first, work later: store the event, send 2xx, and handle it afterwards.",
  },
  http_3xx: {
    label: "Redirect",
    mend: "Redirects are never followed. Set the endpoint's URL to the final address.",
  },
  http_4xx: { label: "Refused by the receiver", mend: "See the response: the receiver refused the request." },
  http_5xx: { label: "Receiver failed", mend: "See the response and the receiver's own log." },
  invalid_response: { label: "Unreadable answer", mend: "The receiver's answer was no valid HTTP." },
  interrupted: {
    label: "Interrupted",
    mend: "The gateway stopped in the middle. It tries again; this does not use up an attempt.",
  },
};

function isKnown(code: string): code is DeliveryErrorCode {
  return deliveryErrorCodes.some((known) => known === code);
}

/** The short name of an attempt's error; an unknown code stands for itself. */
export function errorLabel(code: string): string {
  return isKnown(code) ? words[code].label : code;
}

/** What to do about it, or null when nobody knows. */
export function errorMend(code: string): string | null {
  return isKnown(code) ? words[code].mend : null;
}

/** Why one delivery could not be sent again. */
const refusals: Record<string, string> = {
  delivery_not_retryable: "Only failed and dead-letter deliveries can be sent again.",
  endpoint_disabled: "The endpoint is disabled. Enable it first.",
  endpoint_not_found: "The endpoint was deleted.",
  delivery_not_found: "There is no such delivery any more.",
  payload_purged: "The event's content was removed after its retention time.",
};

export function refusalText(code: string): string {
  return refusals[code] ?? code;
}
