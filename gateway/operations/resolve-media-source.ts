import { and, eq } from "drizzle-orm";
import { isId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import { uploads } from "#gateway/database/schema.ts";
import { keyOfOwnUrl } from "#gateway/storage/signed-urls.ts";
import { tooLarge } from "./request-files.ts";
import { fetchMedia, type MediaSource, type SourceRequest } from "./resolve-media-fetch.ts";

const uploadScheme = "upload://";

/** Opens the file of a media field. */
export async function openMediaSource(context: Context, request: SourceRequest): Promise<MediaSource> {
  const { text, param } = request;
  const uploadId = text.startsWith(uploadScheme) ? text.slice(uploadScheme.length) : text;
  if (text.startsWith(uploadScheme) || isId("upload", text)) return openUpload(context, request, uploadId);
  if (/^data:/i.test(text)) return { body: decodeDataUri(request), close: async () => {} };
  const key = ownKey(context, request);
  if (key !== null) return openStored(context, request, key);
  if (/^https?:/i.test(text)) return fetchMedia(context, request);
  throw new ApiError("media_fetch_failed", `${param} must be upload://…, an https URL or a data URI.`, {
    param,
  });
}

const unusable: Record<string, string> = {
  pending: "has not been received yet: PUT its bytes, then verify it",
  uploaded: "has not been verified yet: POST /v1/uploads/{id}/verify first",
  rejected: "was rejected when it was verified",
  expired: "has expired",
};

async function openUpload(context: Context, request: SourceRequest, id: string): Promise<MediaSource> {
  const { accountId, param } = request;
  const [row] = await context.database.queries
    .select({
      status: uploads.status,
      storageKey: uploads.storageKey,
      objectExpiresAt: uploads.objectExpiresAt,
    })
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.accountId, accountId)));
  const refuse = (why: string) =>
    new ApiError("upload_not_usable", `${param}: the upload ${id} ${why}.`, { param });
  if (!row) throw refuse("does not exist");
  if (row.status !== "verified" || row.storageKey === null)
    throw refuse(unusable[row.status] ?? "cannot be used");
  if (row.objectExpiresAt && row.objectExpiresAt <= clock.date()) throw refuse("has expired");
  return openStored(context, request, row.storageKey);
}

/**
 * The object behind one of our own signed URLs: read from the store, because the address guard would block our own
 * address.
 */
function ownKey(context: Context, { text, param }: SourceRequest): string | null {
  try {
    return keyOfOwnUrl(context, text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError("media_fetch_failed", `${param}: ${error.message}`, { param, cause: error });
  }
}

async function openStored(context: Context, { param }: SourceRequest, key: string): Promise<MediaSource> {
  const object = await context.store.get(key);
  if (!object) throw new ApiError("media_fetch_failed", `${param}: the file was removed.`, { param });
  const { stream } = object;
  return { body: stream, close: async () => void stream.destroy() };
}

function decodeDataUri({ text, param, maxBytes }: SourceRequest): Buffer {
  const comma = text.indexOf(",");
  const isBase64 = /;\s*base64$/i.test(text.slice(0, comma));
  const payload = text.slice(comma + 1);
  const refuse = (why: string) => new ApiError("media_fetch_failed", `${param} ${why}.`, { param });
  if (comma < 0) throw refuse("is not a complete data URI");
  if (!isBase64) throw refuse("must be a data URI with ;base64");
  // Four characters are three bytes; checked before anything is decoded.
  if (payload.length > (maxBytes * 4) / 3 + 4) throw tooLarge(param, maxBytes);
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(payload)) throw refuse("is not valid base64");
  return Buffer.from(payload, "base64");
}
