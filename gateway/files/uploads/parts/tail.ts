import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Context } from "#gateway/context.ts";
import { reserveFiles } from "#gateway/files/storage/reserved-files.ts";
import type { Spooled } from "#gateway/files/storage/spool.ts";
import { recordPart, removeLater } from "./record-part.ts";
import type { Writer } from "./writer.ts";

/**
 * Stores the beginning of a part that is not full, as an object of its own: S3 takes no small parts. It is reserved until it counts. The next
 * request reads it again, so a body that breaks off costs a part's length at most.
 */
export async function storeTail(
  context: Context,
  writer: Writer,
  { file, sizeBytes, sha256 }: Spooled,
): Promise<void> {
  const { id, accountId, contentType, offset, partBytes } = writer;
  const key = `uploads/${id}/tail-${randomBytes(8).toString("hex")}`;
  await reserveFiles(context.database.queries, { id: key, accountId, files: [{ key, sizeBytes }] });
  try {
    await context.store.put(key, createReadStream(file), { contentType });
    const number = Math.floor(offset / partBytes) + 1;
    await recordPart(context, writer, { number, sizeBytes, sha256, etag: null }, key);
  } catch (error) {
    // Recorded it may be after all, where only the confirmation was lost: then it is not reserved any more.
    await removeLater(context, key);
    throw error;
  }
}
