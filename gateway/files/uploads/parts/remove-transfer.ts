import type { BaseContext } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, lte, ne, or } from "#gateway/platform/database/drizzle.ts";
import { uploadParts, uploads, uploadTransfers } from "#gateway/platform/database/schema.ts";

const batchSize = 100;

/**
 * Removes the parts of uploads that are no longer pending: expired, deleted, received by a PUT, or finished
 * by a process that died before the removal. An unfinished S3 multipart upload is found by its key, even if
 * its id was never recorded.
 */
export const uploadTransferSweep: Sweep = {
  kind: "upload_transfers",
  run: async (context) => (await removeTransfers(context)) === batchSize,
  oldestDue: () => `select min(t.lease_expires_at) from upload_transfers t
    left join uploads u on u.id = t.upload_id where u.status is distinct from 'pending'`,
};

/** Removes the parts of one upload now, unless another writer is sending it. */
export async function removeTransfer(
  context: BaseContext,
  upload: { id: string; epoch?: number },
): Promise<void> {
  await removeTransfers(context, upload);
}

/** Objects are removed before rows, so that after a crash in between the removal is simply repeated. */
async function removeTransfers(
  context: BaseContext,
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
