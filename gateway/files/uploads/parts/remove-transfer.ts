import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, isNull, lte, ne, or } from "#gateway/platform/database/drizzle.ts";
import { uploadParts, uploads, uploadTransfers } from "#gateway/platform/database/schema.ts";

const batchSize = 100;

/**
 * Removes what the store holds of uploads that are not pending any more: expired, deleted, received by a PUT, or finished by a process that
 * died before it could. An unfinished multipart upload of S3 is found by its key, where its id was never recorded.
 */
export const uploadTransferSweep: Sweep = {
  kind: "upload_transfers",
  run: async (context) => (await removeTransfers(context)) === batchSize,
  oldestDue: () => `select min(t.lease_expires_at) from upload_transfers t
    left join uploads u on u.id = t.upload_id where u.status is distinct from 'pending'`,
};

/** The same for one upload at once, unless a writer other than this one has it. */
export async function removeTransfer(
  context: Context,
  upload: { id: string; epoch?: number },
): Promise<void> {
  await removeTransfers(context, upload);
}

/** The store first: after a crash in between it is simply done again. */
async function removeTransfers(context: Context, upload?: { id: string; epoch?: number }): Promise<number> {
  const { parts, delete: remove } = context.store;
  return context.database.transaction(async (queries) => {
    const due = await dueTransfers(queries, upload);
    let removed = 0;
    for (const { transfer, storageKey, status } of due) {
      const { uploadId, key, multipartId, tailKey } = transfer;
      try {
        await parts.abort(key, multipartId);
        // Completed it may be without being accepted.
        const isKept = storageKey === key;
        await remove([...(isKept ? [] : [key]), ...(tailKey === null ? [] : [tailKey])]);
      } catch (error) {
        context.log.warn({ err: error }, `parts of ${uploadId} could not be removed, will retry`);
        continue;
      }
      await queries.delete(uploadTransfers).where(eq(uploadTransfers.uploadId, uploadId));
      // Those of a received file are compared with it when it is verified.
      if (status !== "uploaded") await queries.delete(uploadParts).where(eq(uploadParts.uploadId, uploadId));
      removed += 1;
    }
    return removed;
  });
}

/** Writers end first: what they store meanwhile would stay. */
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
