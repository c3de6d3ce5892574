import type { FilesContext } from "#gateway/files/context.ts";
import { type Part, PartsLostError } from "#gateway/files/storage/object-store.ts";
import {
  releaseReservation,
  removeReservedFilesOf,
  reserveFiles,
} from "#gateway/files/storage/remove-files.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, lte, ne, or, sql } from "#gateway/platform/database/drizzle.ts";
import { uploadParts, uploads, uploadTransfers } from "#gateway/platform/database/schema.ts";
import { storedParts, type UploadRow, uploadNotFound } from "../read.ts";
import { acceptBytes, notPending } from "../receive.ts";
import { asWriter, lostTurn, OffsetError, stillWrites, type Writer, writerRow } from "./writer.ts";

/**
 * Completes an upload whose bytes are all stored: makes its object, and sets it to `uploaded`. If a process
 * dies in between, the upload stays complete and pending: the next request for its offset or to verify it
 * finishes it.
 */
export async function finishUpload(context: FilesContext, writer: Writer): Promise<void> {
  const { id, key, multipartId, contentType, sizeBytes } = writer;
  const rows = await storedParts(context.database.queries, id);
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

/** Whether all bytes are stored and only the last step is missing. */
export function isUnfinished({ status, receivedBytes, sizeBytes }: UploadRow): boolean {
  return status === "pending" && receivedBytes === sizeBytes;
}

/** Runs only the last step. Throws as `asWriter`, because another request may be doing it. */
export function finishReceived(context: FilesContext, id: string): Promise<void> {
  return asWriter(context, id, null, async (writer) => {
    try {
      await finishUpload(context, writer);
    } catch (error) {
      if (error instanceof PartsLostError) throw await restart(context, writer, error);
      throw error;
    }
  });
}

/**
 * Restarts an upload whose parts the store has lost, for example because a rule of its bucket aborts old
 * unfinished uploads. Returns the error for its sender.
 */
export async function restart(
  context: FilesContext,
  writer: Writer,
  cause: PartsLostError,
): Promise<OffsetError> {
  const { id, accountId, key, multipartId, tailKey } = writer;
  // If a writer has lost its turn, the parts that it misses are not lost: another writer has used them.
  if (!(await stillWrites(context, writer))) return lostTurn(writer.offset);
  context.log.warn({ err: cause }, `parts of ${id} are gone: it has to be sent again`);
  await context.store.parts.abort(key, multipartId);
  await context.database.transaction(async (queries) => {
    // All writers of the upload's parts lock its row first.
    await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
    const { rowCount } = await queries
      .update(uploadTransfers)
      .set({ multipartId: null, tailKey: null })
      .where(writerRow(writer));
    if (rowCount !== 1) return;
    await queries.update(uploads).set({ receivedBytes: 0 }).where(eq(uploads.id, id));
    await queries.delete(uploadParts).where(eq(uploadParts.uploadId, id));
    const files = [{ key: tailKey ?? "", sizeBytes: 0 }];
    if (tailKey !== null) await reserveFiles(queries, { id: tailKey, accountId, files, until: clock.date() });
  });
  if (tailKey !== null) await removeLater(context, tailKey);
  return new OffsetError(
    "upload_offset_mismatch",
    "The stored parts of this upload are gone. Send it again from the beginning.",
    0,
  );
}

interface StoredPart {
  number: number;
  sizeBytes: number;
  sha256: string;
  etag: string | null;
}

/**
 * Records a stored part: from here on its bytes need not be sent again. Each part extends the upload's
 * expiry. `tailKey` is the object of a part that is not yet full; its predecessor is removed. Throws
 * `upload_locked` if another writer has taken over.
 */
export async function recordPart(
  context: FilesContext,
  writer: Writer,
  part: StoredPart,
  tailKey: string | null,
): Promise<void> {
  const { id, accountId, partBytes, tailKey: tailBefore } = writer;
  const offset = (part.number - 1) * partBytes + part.sizeBytes;
  await context.database.transaction(async (queries) => {
    await renewLife(context, queries, writer, offset);
    const { rowCount } = await queries.update(uploadTransfers).set({ tailKey }).where(writerRow(writer));
    if (rowCount !== 1) throw lostTurn(writer.offset);
    const { number, ...stored } = part;
    await queries
      .insert(uploadParts)
      .values({ uploadId: id, number, ...stored })
      .onConflictDoUpdate({ target: [uploadParts.uploadId, uploadParts.number], set: stored });
    if (tailKey !== null) await releaseReservation(queries, tailKey);
    if (tailBefore !== null)
      await reserveFiles(queries, {
        id: tailBefore,
        accountId,
        files: [{ key: tailBefore, sizeBytes: 0 }],
        until: clock.date(),
      });
  });
  writer.offset = offset;
  writer.tailKey = tailKey;
  if (tailBefore !== null) await removeLater(context, tailBefore);
}

async function renewLife(
  context: FilesContext,
  queries: Queries,
  { id }: Writer,
  receivedBytes: number,
): Promise<void> {
  const [row] = await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
  if (row?.status !== "pending") throw row ? notPending(row) : uploadNotFound(id);
  // Each part extends the upload's life to the retention of a complete file, counted from now.
  const until = new Date(clock.now() + context.retention.of(row.accountId)).toISOString();
  await queries
    .update(uploads)
    .set({ receivedBytes, urlExpiresAt: sql`greatest(${uploads.urlExpiresAt}, ${until}::timestamptz)` })
    .where(and(eq(uploads.id, id)));
}

/** Removes an object now; if this fails, the sweep removes the object later. */
export async function removeLater(context: FilesContext, key: string): Promise<void> {
  await removeReservedFilesOf(context, [key]).catch((error) =>
    context.log.warn({ err: error }, `${key} could not be removed, will retry`),
  );
}

const batchSize = 100;

/**
 * Removes the parts of uploads that are no longer pending: expired, deleted, received by a PUT, or finished
 * by a process that died before the removal. An unfinished S3 multipart upload is found by its key, even if
 * its id was never recorded.
 */
export const uploadTransferSweep: Sweep<FilesContext> = {
  kind: "upload_transfers",
  run: async (context) => (await removeTransfers(context)) === batchSize,
  oldestDue: () => `select min(t.lease_expires_at) from upload_transfers t
    left join uploads u on u.id = t.upload_id where u.status is distinct from 'pending'`,
};

/** Removes the parts of one upload now, unless another writer is sending it. */
export async function removeTransfer(
  context: FilesContext,
  upload: { id: string; epoch?: number },
): Promise<void> {
  await removeTransfers(context, upload);
}

/** Objects are removed before rows, so that after a crash in between the removal is simply repeated. */
async function removeTransfers(
  context: FilesContext,
  upload?: { id: string; epoch?: number },
): Promise<number> {
  const { parts, delete: remove } = context.store;
  return context.database.transaction(async (queries) => {
    const due = await dueTransfers(queries, upload);
    let removed = 0;
    for (const { transfer, storageKey, status } of due) {
      const { uploadId, key, multipartId, tailKey } = transfer;
      try {
        await parts.abort(key, multipartId);
        // Remove the object too if it was completed but did not become the upload's content.
        const isKept = storageKey === key;
        await remove([...(isKept ? [] : [key]), ...(tailKey === null ? [] : [tailKey])]);
      } catch (error) {
        context.log.warn({ err: error }, `parts of ${uploadId} could not be removed, will retry`);
        continue;
      }
      await queries.delete(uploadTransfers).where(eq(uploadTransfers.uploadId, uploadId));
      // The part hashes of a received file are needed when it is verified.
      if (status !== "uploaded") await queries.delete(uploadParts).where(eq(uploadParts.uploadId, uploadId));
      removed += 1;
    }
    return removed;
  });
}

/** Transfers whose writers have ended. A running writer could store more data after the removal. */
function dueTransfers(queries: Queries, upload?: { id: string; epoch?: number }) {
  const hasEnded = lte(uploadTransfers.leaseExpiresAt, clock.date());
  return queries
    .select({ transfer: uploadTransfers, storageKey: uploads.storageKey, status: uploads.status })
    .from(uploadTransfers)
    .leftJoin(uploads, eq(uploads.id, uploadTransfers.uploadId))
    .where(
      and(
        or(isNull(uploads.id), ne(uploads.status, "pending")),
        upload && eq(uploadTransfers.uploadId, upload.id),
        upload?.epoch === undefined ? hasEnded : or(hasEnded, eq(uploadTransfers.epoch, upload.epoch)),
      ),
    )
    .limit(batchSize)
    .for("update", { of: uploadTransfers, skipLocked: true });
}
