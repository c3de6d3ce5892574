import type { Deleted } from "#contract/list.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { forgetPreviews } from "#gateway/files/storage/forget-previews.ts";
import { lockTotals } from "#gateway/files/storage/storage-limit.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { removeTransfer } from "./parts/remove-transfer.ts";
import { findUpload } from "./queries.ts";
import { keysIn, removeObjects } from "./storage-keys.ts";

/** Removes an upload and its bytes; afterwards its id is unknown. Running predictions keep their own copy. */
export async function deleteUpload(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const row = await findUpload(queries, accountId, id, { forUpdate: true });
    // First: bytes that cannot be removed keep their row, and the caller can try again.
    await removeObjects(context, row);
    await lockTotals(queries, [row]);
    await forgetPreviews(queries, keysIn(row.storageKey));
    await queries.delete(uploads).where(eq(uploads.id, id));
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "upload.deleted",
      targetId: id,
      detail: { status: row.status, content_type: row.contentType, size_bytes: row.sizeBytes },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  await removeTransfer(context, { id }).catch((error) =>
    context.log.warn({ err: error }, `parts of ${id} could not be removed, will retry`),
  );
  return { id, object: "upload", deleted: true };
}
