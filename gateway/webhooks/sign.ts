import { createHmac } from "node:crypto";

export interface SignedMessage {
  eventId: string;
  /** Unix seconds of this attempt: a signature must never be older than its sending. */
  timestamp: number;
  body: string;
  /** Every live secret, the current one first. */
  secrets: readonly string[];
}

/**
 * The signature headers in both dialects: ours, which `stripe.webhooks.constructEvent` verifies, and the trio of
 * Standard Webhooks. Rule: contract, "Webhooks".
 */
export function signatureHeaders(message: SignedMessage): Record<string, string> {
  return {
    "x-svc-signature": svcSignature(message),
    "webhook-id": message.eventId,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": message.secrets.map((secret) => standardSignature(message, secret)).join(" "),
  };
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]`; the key is the whole secret text. */
export function svcSignature({ timestamp, body, secrets }: SignedMessage): string {
  const signatures = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex"),
  );
  return [`t=${timestamp}`, ...signatures.map((hex) => `v1=${hex}`)].join(",");
}

/** `v1,<base64>`; the key is the decoded part after `whsec_`. */
function standardSignature({ eventId, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${eventId}.${timestamp}.${body}`).digest("base64")}`;
}
