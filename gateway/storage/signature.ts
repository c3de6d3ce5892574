import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** All that a signed URL allows; changing any of it breaks the signature. */
export interface Grant {
  method: "GET" | "PUT";
  /** Path after `/v1`, as it stands in the URL. */
  path: string;
  /** Unix seconds. */
  expires: number;
  contentType?: string | undefined;
  sizeBytes?: number | undefined;
  filename?: string | undefined;
}

const purpose = "gatehouse signed urls v1";
const keys = new Map<string, Buffer>();

/** The signing key of this gateway, derived from its master secret so that neither gives the other away. */
function signingKey(secret: string): Buffer {
  const known = keys.get(secret);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  keys.set(secret, key);
  return key;
}

export function sign(secret: string, grant: Grant): string {
  const { method, path, expires, contentType, sizeBytes, filename } = grant;
  // JSON parts the fields unambiguously, whatever text they hold.
  const signed = JSON.stringify([
    method,
    path,
    expires,
    contentType ?? null,
    sizeBytes ?? null,
    filename ?? null,
  ]);
  return createHmac("sha256", signingKey(secret)).update(signed).digest("base64url");
}

export function isSignedBy(secret: string, grant: Grant, signature: string): boolean {
  const expected = Buffer.from(sign(secret, grant));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
