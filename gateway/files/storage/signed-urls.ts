import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { FilesContext } from "#gateway/files/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { deriveKeys, type MasterSecret } from "#gateway/platform/core/console-secret.ts";
import { isObjectKey } from "./object-store.ts";

type Signing = { config: Pick<FilesContext["config"], "secret" | "previousSecret" | "publicUrl"> };

const apiPrefix = "/v1";
const filesPath = "/files/";
const decimal = /^\d{1,12}$/;

interface UrlGrant extends Omit<Grant, "expires"> {
  expiresAt: Date;
}

/** A request by the holder of a signed URL. */
export interface SignedRequest extends Omit<Grant, "expires" | "filename"> {
  query: { expires?: string | undefined; signature?: string | undefined; filename?: string | undefined };
}

/** A URL that allows its holder the request described here, until `expiresAt`. */
export function signedUrl({ config }: Signing, { expiresAt, ...rest }: UrlGrant): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const query = new URLSearchParams({ expires: String(expires) });
  if (rest.filename !== undefined) query.set("filename", rest.filename);
  query.set("signature", sign(config, { ...rest, expires }));
  return `${config.publicUrl}${apiPrefix}${rest.path}?${query}`;
}

declare const readable: unique symbol;
/**
 * The key of a stored object whose URL may be issued. For files made by models `Clearance.addresses` provides
 * it, after checking the reader.
 */
export type ReadableKey = string & { readonly [readable]: true };

/**
 * Marks the key of a file that a caller sent, or whose URL the gateway itself needs. Never use it for an
 * output.
 */
export function inputKey(key: string): ReadableKey {
  return key as ReadableKey;
}

/** The URL of a stored object, readable until `expiresAt`; browsers save it as `filename`. */
export function fileUrl(
  context: Signing,
  key: ReadableKey,
  { expiresAt, filename }: { expiresAt: Date; filename?: string },
): string {
  return signedUrl(context, { method: "GET", path: filePath(key), expiresAt, filename });
}

/** Throws `signature_invalid` or `signature_expired`. */
export function verifySignature(context: Signing, request: SignedRequest): void {
  if (isExpired(context, request)) throw urlExpired();
}

export function urlExpired(): ApiError {
  return new ApiError("signature_expired", "This URL has expired. Read the resource again for a fresh one.");
}

/** Whether a URL signed by this gateway has expired. Throws `signature_invalid`. */
export function isExpired({ config }: Signing, { query, ...request }: SignedRequest): boolean {
  // Accepts only the decimal digits that `signedUrl` writes, because `Number` would also read other spellings
  // (0x…, 1e9).
  const expires = decimal.test(query.expires ?? "") ? Number(query.expires) : Number.NaN;
  const grant = { ...request, expires, filename: query.filename };
  if (!Number.isInteger(expires) || !isSignedBy(config, grant, query.signature ?? ""))
    throw new ApiError(
      "signature_invalid",
      "The signature does not match this URL or request. Read the resource again for a fresh URL.",
    );
  return expires * 1000 < clock.now();
}

/**
 * The key of the object behind one of this gateway's signed download URLs; null for any other URL. Throws if
 * the URL is the gateway's own but has an invalid signature.
 */
export function keyOfOwnUrl(context: Signing, text: string): string | null {
  const prefix = `${context.config.publicUrl}${apiPrefix}${filesPath}`;
  if (!text.startsWith(prefix)) return null;
  const url = new URL(text);
  const key = url.pathname.slice(new URL(prefix).pathname.length);
  if (!isObjectKey(key)) return null;
  const { expires, signature, filename } = Object.fromEntries(url.searchParams);
  verifySignature(context, {
    method: "GET",
    path: filePath(key),
    query: { expires, signature, filename },
  });
  return key;
}

/** Path of the signed GET of a file, after `/v1`. */
export function filePath(key: string): string {
  return `${filesPath}${key}`;
}

/** Everything that a signed URL allows; changing any of it breaks the signature. */
export interface Grant {
  method: "GET" | "PUT" | "PATCH";
  /** Path after `/v1`, as in the URL. */
  path: string;
  /** Unix seconds. */
  expires: number;
  contentType?: string | undefined;
  sizeBytes?: number | undefined;
  filename?: string | undefined;
}

const purpose = "gatehouse signed urls v1";

/** Signs with the current master secret. */
export function sign(master: MasterSecret, grant: Grant): string {
  const [current] = deriveKeys(master, purpose);
  return signedWith(current, grant);
}

/** Whether the signature was made with the current or the previous master secret. */
export function isSignedBy(master: MasterSecret, grant: Grant, signature: string): boolean {
  const given = Buffer.from(signature);
  return deriveKeys(master, purpose).some((key) => {
    const expected = Buffer.from(signedWith(key, grant));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

function signedWith(key: KeyObject, grant: Grant): string {
  const { method, path, expires, contentType, sizeBytes, filename } = grant;
  // JSON separates the fields unambiguously, whatever they contain.
  const signed = JSON.stringify([
    method,
    path,
    expires,
    contentType ?? null,
    sizeBytes ?? null,
    filename ?? null,
  ]);
  return createHmac("sha256", key).update(signed).digest("base64url");
}
