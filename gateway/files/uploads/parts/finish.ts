import type { Context } from "#gateway/context.ts";
import { type Part, PartsLostError } from "#gateway/files/storage/object-store.ts";
import { asc, eq } from "#gateway/platform/database/drizzle.ts";
import { uploadParts } from "#gateway/platform/database/schema.ts";
import { acceptBytes } from "../accept.ts";
import type { UploadRow } from "../queries.ts";
import { removeTransfer } from "./remove-transfer.ts";
import { restart } from "./restart.ts";
import { asWriter, type Writer } from "./writer.ts";

/**
 * Makes the object of an upload whose bytes are all stored, and the upload `uploaded`. A process that dies in between leaves an upload
 * that is complete and pending: the next request for it, for its offset or to verify it, finishes it.
 */
export async function finishUpload(context: Context, writer: Writer): Promise<void> {
  const { id, key, multipartId, contentType, sizeBytes } = writer;
  const rows = await context.database.queries
    .select()
    .from(uploadParts)
    .where(eq(uploadParts.uploadId, id))
    .orderBy(asc(uploadParts.number));
  const parts: Part[] = rows.map(({ number, etag }) => ({ number, etag: etag ?? "" }));
  const sha256 = await context.store.parts.complete({ key, id: multipartId }, parts, {
    sizeBytes,
    contentType,
  });
  await acceptBytes(context, id, key, sha256);
  await removeTransfer(context, writer).catch((error) =>
    context.log.warn({ err: error }, `parts of ${id} could not be removed, will retry`),
  );
}

/** Whether all bytes are stored and only this last step is missing. */
export function isUnfinished({ status, receivedBytes, sizeBytes }: UploadRow): boolean {
  return status === "pending" && receivedBytes === sizeBytes;
}

/** The last step alone. Throws as `asWriter`: another request may be at it. */
export function finishReceived(context: Context, id: string): Promise<void> {
  return asWriter(context, id, null, async (writer) => {
    try {
      await finishUpload(context, writer);
    } catch (error) {
      if (error instanceof PartsLostError) throw await restart(context, writer, error);
      throw error;
    }
  });
}
