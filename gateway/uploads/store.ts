import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { newId } from "#contract/ids.ts";
import { uploadMaxBytes } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { uploads } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { sniffFile } from "#gateway/storage/sniff.ts";
import { type Spooled, spool, TooManyBytesError } from "#gateway/storage/spool.ts";
import { safeFilename } from "./filename.ts";

interface IncomingFile {
  accountId: string;
  stream: Readable;
  filename: string | undefined;
  /** The field of the request that the file came in. */
  param: string;
}

/**
 * Keeps a file that came inside a request as a verified upload of the account: its type is what its bytes say. Throws
 * `input_too_large` or `unsupported_content_type`, naming the field.
 */
export async function storeUpload(
  context: Context,
  { accountId, stream, filename, param }: IncomingFile,
): Promise<{ id: string; sha256: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-part-"));
  try {
    const spooled = await spool(stream, folder, uploadMaxBytes.video).catch((error) => {
      throw error instanceof TooManyBytesError ? tooLarge(param, error.maxBytes) : error;
    });
    const contentType = await typeOf(spooled, param);
    const id = newId("upload");
    const storageKey = `uploads/${id}/${randomBytes(8).toString("hex")}`;
    try {
      await context.store.put(storageKey, createReadStream(spooled.file), { contentType });
      const now = new Date();
      await context.database.queries.insert(uploads).values({
        id,
        accountId,
        status: "verified",
        contentType,
        sizeBytes: spooled.sizeBytes,
        filename: safeFilename(filename),
        sha256: spooled.sha256,
        storageKey,
        urlExpiresAt: now,
        uploadedAt: now,
        verifiedAt: now,
        objectExpiresAt: new Date(now.getTime() + context.config.retentionMs),
      });
    } catch (error) {
      await removeUnlessKept(context, id, storageKey);
      throw error;
    }
    return { id, sha256: spooled.sha256 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes bytes whose row failed to be written, unless only the database's answer got lost. Never throws. */
async function removeUnlessKept(context: Context, id: string, storageKey: string): Promise<void> {
  try {
    // A row without bytes answers as purged and expires; bytes without a row would stay: in doubt they go.
    const kept = await isKept(context, id).catch(() => false);
    if (!kept) await context.store.delete(storageKey);
  } catch (error) {
    context.log.error({ err: error, storageKey }, "bytes without an upload could not be removed");
  }
}

async function isKept(context: Context, id: string): Promise<boolean> {
  const { queries } = context.database;
  const rows = await queries.select({ id: uploads.id }).from(uploads).where(eq(uploads.id, id));
  return rows.length > 0;
}

async function typeOf({ file, sizeBytes }: Spooled, param: string): Promise<string> {
  const sniffed = await sniffFile(file);
  // A container may hold sound only: the field says what it is meant to be.
  const meant = param.includes("audio") ? sniffed?.types.audio : undefined;
  const contentType = meant ?? sniffed?.types[sniffed.family];
  if (!sniffed || !contentType)
    throw new ApiError(
      "unsupported_content_type",
      `${param} is not an image, audio or video file of an accepted type.`,
      { param },
    );
  const maxBytes = uploadMaxBytes[sniffed.family];
  if (sizeBytes > maxBytes) throw tooLarge(param, maxBytes);
  return contentType;
}

function tooLarge(param: string, maxBytes: number): ApiError {
  return new ApiError("input_too_large", `${param} is larger than ${maxBytes} bytes.`, { param });
}
