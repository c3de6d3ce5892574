import { clock } from "#gateway/platform/core/clock.ts";
import type { OwnHeaders } from "../endpoints/own-headers.ts";
import { type SignedMessage, signatureHeaders } from "../sign.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import type { Outgoing } from "./post-event.ts";

const userAgent = "Gatehouse-Webhooks/1";

/** What signs an attempt: every valid secret, and the private keys of an endpoint that has key pairs. */
export type Signers = Pick<SignedMessage, "keys" | "pairs">;

/** The request of one attempt, signed now. */
export function deliveryRequest(
  delivery: Pick<ClaimedDelivery, "id" | "eventId" | "url" | "attempts">,
  body: string,
  signers: Signers,
  own: OwnHeaders | null = null,
  trace?: { traceparent: string; tracestate?: string },
): Outgoing {
  const timestamp = Math.floor(clock.now() / 1000);
  return {
    url: delivery.url,
    body,
    own,
    headers: {
      "content-type": "application/json",
      accept: "*/*",
      // Answers are never decompressed, so a decompression bomb is harmless.
      "accept-encoding": "identity",
      "user-agent": userAgent,
      "x-svc-event-id": delivery.eventId,
      "x-svc-delivery-id": delivery.id,
      "x-svc-delivery-attempt": String(delivery.attempts + 1),
      ...trace,
      ...signatureHeaders({ eventId: delivery.eventId, timestamp, body, ...signers }),
    },
  };
}
