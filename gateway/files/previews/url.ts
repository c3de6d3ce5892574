import type { FilesContext } from "#gateway/files/context.ts";
import {
  filePath,
  type ReadableKey,
  signedUrl,
  verifySignature,
} from "#gateway/files/storage/signed-urls.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The parts of a stored file that its preview needs. */
interface PreviewedFile {
  key: ReadableKey;
  contentType: string;
  /** When the file is removed, or its preview becomes unreadable. */
  expiresAt: Date;
}

interface Query {
  expires?: string;
  signature?: string;
  filename?: string;
}

const previewed = /^(image|audio|video)\//;

/**
 * The URL of a file's preview, the same for each call so that browsers cache it; null if the file's type has
 * no preview.
 */
export function previewUrl(
  context: Parameters<typeof signedUrl>[0],
  { key, contentType, expiresAt }: PreviewedFile,
): string | null {
  if (!previewed.test(contentType)) return null;
  return signedUrl(context, { method: "GET", path: previewPath(key), expiresAt });
}

/**
 * Checks the signature of a preview's URL, or of the file's own URL: whoever may read the file may see its
 * preview. Throws `signature_invalid` or `signature_expired`.
 */
export function verifyPreviewUrl(context: FilesContext, key: string, query: Query): void {
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
