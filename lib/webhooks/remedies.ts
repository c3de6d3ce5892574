import type { DeliveryErrorCode } from "#contract/webhook-constants.ts";
import { isKnownError } from "./error-labels.ts";

/** How to fix each `error_code` of an attempt. */
const remedies: Record<DeliveryErrorCode, string> = {
  blocked_address: "The host name resolves to a private or reserved address. Point it to a public address.",
  dns_error: "Check the host name in the endpoint's URL and its DNS records.",
  connect_refused: "Nothing listens at this address and port. Start the receiver or open its firewall.",
  connect_timeout: "The host does not respond. Check that it runs and that no firewall drops the connection.",
  connection_reset:
    "The receiver, or a proxy in front of it, closed the connection before it responded. Check its log.",
  tls_error: "Check the certificate: it may be expired, have the wrong name or an incomplete chain.",
  timeout: "Respond faster: store the event, send 2xx, and process the event afterwards.",
  http_3xx: "Redirects are not followed. Change the endpoint's URL to the final address.",
  http_4xx: "The receiver rejected the request. See the response for the reason.",
  http_5xx: "See the response and the receiver's log.",
  invalid_response: "The receiver's response was not valid HTTP. Check that the URL points to a web server.",
  interrupted: "The gateway stopped during this attempt. It will try again, and this attempt is not counted.",
  stale_connection:
    "No action needed: the request was repeated immediately. Your receiver may have received it twice, so deduplicate by event id.",
  payload_expired:
    "The content was removed after its retention time, before the event could be delivered. Fetch the prediction instead.",
};

/** What to do about an attempt's error, or null for an unknown code. */
export function errorRemedy(code: string): string | null {
  return isKnownError(code) ? remedies[code] : null;
}
