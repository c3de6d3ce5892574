import type { Context } from "#gateway/context.ts";
import { signedUrl } from "#gateway/storage/signed-urls.ts";

/** A stored file, as far as its preview needs to know it. */
interface PreviewedFile {
  accountId: string;
  key: string;
  contentType: string;
  /** When the file is removed, or its preview may no longer be read. */
  expiresAt: Date;
}

const previewed = /^(image|audio|video)\//;

/** The address of a file's preview, the same at each call so that browsers keep it; null where its type has none. */
export function previewUrl(
  context: { config: Pick<Context["config"], "secret" | "previousSecret" | "publicUrl"> },
  { accountId, key, contentType, expiresAt }: PreviewedFile,
): string | null {
  if (!previewed.test(contentType)) return null;
  return signedUrl(context, { method: "GET", path: previewPath(accountId, key), expiresAt });
}

/** Path of the signed GET, after `/v1`. The account is part of what is signed: it owns the preview. */
export function previewPath(accountId: string, key: string): string {
  return `/previews/${accountId}/${key}`;
}
