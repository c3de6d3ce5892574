import type { Context } from "../context.ts";
import { ApiError } from "../http/api-error.ts";
import { isObjectKey } from "./object-key.ts";
import { type Grant, isSignedBy, sign } from "./signature.ts";

type Signing = { config: Pick<Context["config"], "secret" | "publicUrl"> };

const apiPrefix = "/v1";
const filesPath = "/files/";

interface UrlGrant extends Omit<Grant, "expires"> {
  expiresAt: Date;
}

/** What the holder of a signed URL sends with it. */
export interface SignedRequest extends Omit<Grant, "expires" | "filename"> {
  query: { expires?: string | undefined; signature?: string | undefined; filename?: string | undefined };
}

/** A URL that lets whoever holds it do exactly this, until `expiresAt`. */
export function signedUrl({ config }: Signing, { expiresAt, ...rest }: UrlGrant): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const query = new URLSearchParams({ expires: String(expires) });
  if (rest.filename !== undefined) query.set("filename", rest.filename);
  query.set("signature", sign(config.secret, { ...rest, expires }));
  return `${config.publicUrl}${apiPrefix}${rest.path}?${query}`;
}

/** The address of a stored object, readable until `expiresAt`; a browser saves it under `filename`. */
export function outputUrl(
  context: Signing,
  key: string,
  { expiresAt, filename }: { expiresAt: Date; filename?: string },
): string {
  return signedUrl(context, { method: "GET", path: `${filesPath}${key}`, expiresAt, filename });
}

/** Throws `signature_invalid` or `signature_expired`. */
export function verifySignature({ config }: Signing, { query, ...request }: SignedRequest): void {
  const expires = Number(query.expires);
  const grant = { ...request, expires, filename: query.filename };
  if (!Number.isInteger(expires) || !isSignedBy(config.secret, grant, query.signature ?? ""))
    throw new ApiError(
      "signature_invalid",
      "This URL was changed, or is used for something it was not made for.",
    );
  if (expires * 1000 < Date.now())
    throw new ApiError("signature_expired", "This URL has expired. Read the resource again for a fresh one.");
}

/**
 * The key of the object behind one of this gateway's own signed download URLs; null for any other URL. Throws when the
 * URL is ours but its signature does not hold.
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
    path: `${filesPath}${key}`,
    query: { expires, signature, filename },
  });
  return key;
}
