import type { OpenAiFile } from "#contract/files.ts";
import { type FilePurpose, type Upload, uploadReference } from "#contract/upload.ts";
import type { BaseContext } from "#gateway/context.ts";
import { previewUrl } from "#gateway/files/previews/url.ts";
import { fileUrl, inputKey, signedUrl } from "#gateway/files/storage/signed-urls.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import type { UploadRow } from "./queries.ts";

/** An upload in its account's view, with new signed URLs for the possible next steps. */
export function uploadView(context: BaseContext, row: UploadRow, now = clock.date()): Upload {
  const urlExpiresAt = urlExpiry(context, row, now);
  return {
    id: row.id,
    object: "upload",
    status: row.status,
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    filename: row.filename,
    sha256: row.sha256,
    reference: uploadReference(row.id),
    upload_url: row.status === "pending" ? uploadUrl(context, row, urlExpiresAt) : null,
    resume_url: row.status === "pending" ? resumeUrl(context, row, urlExpiresAt) : null,
    received_bytes: receivedBytes(row),
    upload_method: "PUT",
    upload_headers: { "content-type": row.contentType, "content-length": String(row.sizeBytes) },
    download_url: downloadUrl(context, row, urlExpiresAt),
    preview_url: previewOf(context, row),
    url_expires_at: urlExpiresAt.toISOString(),
    object_expires_at: row.objectExpiresAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    verified_at: row.verifiedAt?.toISOString() ?? null,
    error: row.error,
  };
}

/** An upload as OpenAI's clients read a file. */
export function openAiFile(row: UploadRow): OpenAiFile {
  const { id, status, sizeBytes, contentType, createdAt, objectExpiresAt, error } = row;
  const isLost = status === "rejected" || status === "expired";
  return {
    id,
    object: "file",
    bytes: sizeBytes,
    created_at: unixSeconds(createdAt),
    expires_at: objectExpiresAt && unixSeconds(objectExpiresAt),
    filename: row.filename ?? id,
    purpose: row.purpose ?? purposeOf(contentType),
    status: isLost ? "error" : status === "verified" ? "processed" : "uploaded",
    status_details: error?.message ?? (isLost ? `It is ${status}.` : null),
    content_type: contentType,
  };
}

/** The condition for uploads with this purpose; must agree with `purposeOf`. */
export function hasPurpose(purpose: FilePurpose): SQL {
  return sql`coalesce(${uploads.purpose}, case when content_type = ${batchType} then 'batch'
    when content_type like 'image/%' then 'vision' else 'user_data' end) = ${purpose}`;
}

/** The purpose of an upload that was not sent by an OpenAI client. */
function purposeOf(contentType: string): FilePurpose {
  if (contentType === batchType) return "batch";
  return contentType.startsWith("image/") ? "vision" : "user_data";
}

const batchType = "application/jsonl";

export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** Path of the signed PUT, after `/v1`. */
export function contentPath(id: string): string {
  return `/uploads/${id}/content`;
}

function uploadUrl(context: BaseContext, row: UploadRow, expiresAt: Date): string {
  const { contentType, sizeBytes } = row;
  return signedUrl(context, { method: "PUT", path: contentPath(row.id), expiresAt, contentType, sizeBytes });
}

/**
 * The URL for HEAD and PATCH. Its length and type are those of the row, whatever the request's headers are.
 */
function resumeUrl(context: BaseContext, { id }: UploadRow, expiresAt: Date): string {
  return signedUrl(context, { method: "PATCH", path: contentPath(id), expiresAt });
}

/** The number of stored bytes, or for an expired upload of the bytes stored until then. */
export function receivedBytes(row: UploadRow): number {
  return row.status === "pending" || row.status === "expired" ? row.receivedBytes : row.sizeBytes;
}

function downloadUrl(context: BaseContext, row: UploadRow, expiresAt: Date): string | null {
  if (row.status !== "verified" || row.storageKey === null) return null;
  return fileUrl(context, inputKey(row.storageKey), {
    expiresAt,
    ...(row.filename && { filename: row.filename }),
  });
}

function previewOf(context: BaseContext, row: UploadRow): string | null {
  const { status, storageKey: key, contentType, objectExpiresAt: expiresAt } = row;
  if (status !== "verified" || key === null || expiresAt === null) return null;
  return previewUrl(context, { key: inputKey(key), contentType, expiresAt });
}

/** No URL is valid longer than its file. */
function urlExpiry(context: BaseContext, row: UploadRow, now: Date): Date {
  const freshUntil = now.getTime() + context.config.uploadUrlTtlMs;
  const endsAt =
    row.status === "pending" || row.status === "expired" ? row.urlExpiresAt : row.objectExpiresAt;
  return new Date(Math.min(freshUntil, endsAt?.getTime() ?? freshUntil));
}
