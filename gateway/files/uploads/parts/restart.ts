import type { Context } from "#gateway/context.ts";
import type { PartsLostError } from "#gateway/files/storage/object-store.ts";
import { reserveFiles } from "#gateway/files/storage/reserved-files.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploadParts, uploads, uploadTransfers } from "#gateway/platform/database/schema.ts";
import { removeLater } from "./record-part.ts";
import { lostTurn, OffsetError, stillWrites, type Writer, writerRow } from "./writer.ts";

/**
 * Begins an upload anew whose parts the store has lost, for instance by a rule of its bucket that aborts what is unfinished for
 * long. Returns the error that tells its sender so.
 */
export async function restart(context: Context, writer: Writer, cause: PartsLostError): Promise<OffsetError> {
  const { id, accountId, key, multipartId, tailKey } = writer;
  // What a writer misses that lost its turn is not lost: another one has used it up.
  if (!(await stillWrites(context, writer))) return lostTurn(writer.offset);
  context.log.warn({ err: cause }, `parts of ${id} are gone: it has to be sent again`);
  await context.store.parts.abort(key, multipartId);
  await context.database.transaction(async (queries) => {
    // Locked first, as by every writer.
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
