import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { newId } from "#contract/ids.ts";
import { uploadMaxBytes } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { uploads } from "#gateway/database/schema.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { holdFiles, letGo } from "#gateway/storage/held-files.ts";
import { sniffFile } from "#gateway/storage/sniff.ts";
import { type Spooled, spool, TooManyBytesError } from "#gateway/storage/spool.ts";
import { safeFilename } from "./filename.ts";

interface IncomingFile {
  accountId: string;
  stream: Readable;
  /** Whether its end was cut off, once it has been read. */
  isCut(): boolean;
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
  incoming: IncomingFile,
): Promise<{ id: string; sha256: string }> {
  const { stream, param, isCut } = incoming;
  return context.scratch.withDirectory(async (directory) => {
    const spooled = await spool(stream, directory, uploadMaxBytes.video).catch((error) => {
      throw error instanceof TooManyBytesError ? tooLarge(param, error.maxBytes) : error;
    });
    if (isCut()) throw tooLarge(param, spooled.sizeBytes);
    return keep(context, incoming, spooled, await typeOf(spooled, param));
  });
}

async function keep(
  context: Context,
  { accountId, filename }: IncomingFile,
  { file, sizeBytes, sha256 }: Spooled,
  contentType: string,
): Promise<{ id: string; sha256: string }> {
  const id = newId("upload");
  const storageKey = `uploads/${id}/${randomBytes(8).toString("hex")}`;
  await holdFiles(context, { id, accountId, keys: [storageKey] });
  await context.store.put(storageKey, createReadStream(file), { contentType });
  const now = new Date();
  await context.database.transaction(async (queries) => {
    await letGo(queries, id);
    await queries.insert(uploads).values({
      id,
      accountId,
      status: "verified",
      contentType,
      sizeBytes,
      filename: safeFilename(filename),
      sha256,
      storageKey,
      urlExpiresAt: now,
      uploadedAt: now,
      verifiedAt: now,
      objectExpiresAt: new Date(now.getTime() + context.config.retentionMs),
    });
  });
  return { id, sha256 };
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
