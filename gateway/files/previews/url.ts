import type { Context } from "#gateway/context.ts";
import {
  filePath,
  type ReadableKey,
  signedUrl,
  verifySignature,
} from "#gateway/files/storage/signed-urls.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** A stored file, as far as its preview needs to know it. */
interface PreviewedFile {
  key: ReadableKey;
  contentType: string;
  /** When the file is removed, or its preview may no longer be read. */
  expiresAt: Date;
}

interface Query {
  expires?: string;
  signature?: string;
  filename?: string;
}

const previewed = /^(image|audio|video)\//;

/** The address of a file's preview, the same at each call so that browsers keep it; null where its type has none. */
export function previewUrl(
  context: Parameters<typeof signedUrl>[0],
  { key, contentType, expiresAt }: PreviewedFile,
): string | null {
  if (!previewed.test(contentType)) return null;
  return signedUrl(context, { method: "GET", path: previewPath(key), expiresAt });
}

/**
 * Checks the signature of a preview's address, or that of the file's own: who may read the file may see it small. Throws
 * `signature_invalid` or `signature_expired`.
 */
export function verifyPreviewUrl(context: Context, key: string, query: Query): void {
  try {
    verifySignature(context, { method: "GET", path: previewPath(key), query });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "signature_invalid") throw error;
    verifySignature(context, { method: "GET", path: filePath(key), query });
  }
}

/** Path of the signed GET, after `/v1`. */
function previewPath(key: string): string {
  return `/previews/${key}`;
}
