import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

export interface SignedMessage {
  eventId: string;
  /** Unix seconds of this attempt: each attempt is signed again, because receivers reject old signatures. */
  timestamp: number;
  body: string;
  /** One per valid secret, the current one first. */
  keys: readonly SigningKey[];
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
    "webhook-signature": message.keys.map((key) => standardSignature(message, key)).join(" "),
  };
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]`. */
export function svcSignature({ timestamp, body, keys }: SignedMessage): string {
  const signatures = keys.map(
    ({ text }) => `v1=${createHmac("sha256", text).update(`${timestamp}.${body}`).digest("hex")}`,
  );
  return [`t=${timestamp}`, ...signatures].join(",");
}

/** `v1,<base64>`. */
function standardSignature({ eventId, timestamp, body }: SignedMessage, { bytes }: SigningKey): string {
  return `v1,${createHmac("sha256", bytes).update(`${eventId}.${timestamp}.${body}`).digest("base64")}`;
}
