import { createHmac, createSecretKey, type KeyObject, sign } from "node:crypto";
import { clock } from "#gateway/platform/core/clock.ts";
import type { ClaimedDelivery } from "./deliver/claim-deliveries.ts";
import type { Outgoing } from "./deliver/post-event.ts";
import type { OwnHeaders } from "./endpoints/own-headers.ts";

export interface SignedMessage {
  eventId: string;
  /** Unix seconds of this attempt: each attempt is signed again, because receivers reject old signatures. */
  timestamp: number;
  body: string;
  /** One per valid secret, the current one first. */
  keys: readonly SigningKey[];
  /** Ed25519 private keys that sign as well. */
  pairs?: readonly KeyObject[];
}

/** A signing secret, prepared for both signature formats. */
export interface SigningKey {
  /** The complete secret as text. */
  text: KeyObject;
  /** The decoded part after `whsec_`. */
  bytes: KeyObject;
}

export function signingKey(secret: string): SigningKey {
  return {
    text: createSecretKey(secret, "utf8"),
    bytes: createSecretKey(secret.replace(/^whsec_/, ""), "base64"),
  };
}

/**
 * The signature headers in both formats: ours, which `stripe.webhooks.constructEvent` verifies, and the three
 * of Standard Webhooks. Rule: contract, "Webhooks".
 */
export function signatureHeaders(message: SignedMessage): Record<string, string> {
  return {
    "x-svc-signature": svcSignature(message),
    "webhook-id": message.eventId,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": [
      ...message.keys.map((key) => standardSignature(message, key)),
      ...(message.pairs ?? []).map((key) => asymmetricSignature(message, key)),
    ].join(" "),
  };
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]`. */
export function svcSignature({ timestamp, body, keys }: SignedMessage): string {
  const signatures = keys.map(
    ({ text }) => `v1=${createHmac("sha256", text).update(`${timestamp}.${body}`).digest("hex")}`,
  );
  return [`t=${timestamp}`, ...signatures].join(",");
}

/** `v1a,<base64>`. Receivers that know only `v1` skip it. */
function asymmetricSignature({ eventId, timestamp, body }: SignedMessage, key: KeyObject): string {
  return `v1a,${sign(null, Buffer.from(`${eventId}.${timestamp}.${body}`), key).toString("base64")}`;
}

/** `v1,<base64>`. */
function standardSignature({ eventId, timestamp, body }: SignedMessage, { bytes }: SigningKey): string {
  return `v1,${createHmac("sha256", bytes).update(`${eventId}.${timestamp}.${body}`).digest("base64")}`;
}

const userAgent = "Gatehouse-Webhooks/1";

/** What signs an attempt: every valid secret, and the private keys of an endpoint that has key pairs. */
type Signers = Pick<SignedMessage, "keys" | "pairs">;

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
