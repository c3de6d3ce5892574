import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { and, eq } from "drizzle-orm";
import type { Context } from "#gateway/context.ts";
import { uploads } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { type UploadRow, uploadNotFound } from "./queries.ts";

/** A transfer that began in time may last this long before the sweep takes its upload for abandoned. */
const longestTransferMs = 3_600_000;

/**
 * Takes the bytes of a pending upload; the caller has checked the signature, and with it length and type. A transfer
 * that breaks off leaves the upload pending, with the full time for another try. Of two at once the first to end wins;
 * the other gets 409 and its bytes go.
 */
export async function receiveUpload(context: Context, id: string, body: Readable): Promise<UploadRow> {
  const row = await beginTransfer(context, id);
  // A name of its own per transfer: a late one can never replace bytes that were verified.
  const storageKey = `uploads/${id}/${randomBytes(8).toString("hex")}`;
  const { contentType, sizeBytes: maxBytes } = row;
  try {
    const stored = await context.store.put(storageKey, body, { contentType, maxBytes });
    if (stored.sizeBytes !== row.sizeBytes) throw wrongLength(row);
    return await acceptBytes(context, id, storageKey, stored.sha256);
  } catch (error) {
    await context.store.delete(storageKey);
    await context.database.queries
      .update(uploads)
      .set({ urlExpiresAt: new Date(Date.now() + context.config.uploadUrlTtlMs) })
      .where(and(eq(uploads.id, id), eq(uploads.status, "pending")));
    throw error;
  }
}

async function beginTransfer(context: Context, id: string): Promise<UploadRow> {
  const { queries } = context.database;
  const [row] = await queries.select().from(uploads).where(eq(uploads.id, id));
  if (!row) throw uploadNotFound(id);
  if (row.status !== "pending" || row.storageKey !== null) throw notPending(row);
  await queries
    .update(uploads)
    .set({ urlExpiresAt: new Date(Date.now() + longestTransferMs) })
    .where(and(eq(uploads.id, id), eq(uploads.status, "pending")));
  return row;
}

async function acceptBytes(
  context: Context,
  id: string,
  storageKey: string,
  sha256: string,
): Promise<UploadRow> {
  const now = new Date();
  const [row] = await context.database.queries
    .update(uploads)
    .set({
      status: "uploaded",
      storageKey,
      sha256,
      uploadedAt: now,
      objectExpiresAt: new Date(now.getTime() + context.config.retentionMs),
    })
    .where(and(eq(uploads.id, id), eq(uploads.status, "pending")))
    .returning();
  if (row) return row;
  const [present] = await context.database.queries.select().from(uploads).where(eq(uploads.id, id));
  throw present ? notPending(present) : uploadNotFound(id);
}

function notPending(row: UploadRow): ApiError {
  if (row.status === "expired")
    return new ApiError("signature_expired", "This upload has expired. Create a new one.");
  return new ApiError(
    "upload_already_received",
    `The bytes of ${row.id} were received already. Create a new upload.`,
  );
}

function wrongLength(row: UploadRow): ApiError {
  return new ApiError("invalid_parameter", `Exactly ${row.sizeBytes} bytes were announced.`, {
    param: "size_bytes",
  });
}
