import type { Context } from "#gateway/context.ts";
import {
  releaseReservation,
  removeReservedFilesOf,
  reserveFiles,
} from "#gateway/files/storage/reserved-files.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { uploadParts, uploads, uploadTransfers } from "#gateway/platform/database/schema.ts";
import { notPending } from "../accept.ts";
import { uploadNotFound } from "../queries.ts";
import { lostTurn, type Writer, writerRow } from "./writer.ts";

interface StoredPart {
  number: number;
  sizeBytes: number;
  sha256: string;
  etag: string | null;
}

/**
 * Counts a part that is stored: from here on its bytes need not be sent again. Each part renews the life of its upload. `tailKey`
 * is where the part is while it is not full; the object before it is removed. Throws `upload_locked` where another writer has taken over.
 */
export async function recordPart(
  context: Context,
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
  context: Context,
  queries: Queries,
  { id }: Writer,
  receivedBytes: number,
): Promise<void> {
  const [row] = await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
  if (row?.status !== "pending") throw row ? notPending(row) : uploadNotFound(id);
  // As long as a whole file, from the last part that came.
  const until = new Date(clock.now() + context.config.retentionMs).toISOString();
  await queries
    .update(uploads)
    .set({ receivedBytes, urlExpiresAt: sql`greatest(${uploads.urlExpiresAt}, ${until}::timestamptz)` })
    .where(and(eq(uploads.id, id)));
}

/** The sweep does it where this fails. */
export async function removeLater(context: Context, key: string): Promise<void> {
  await removeReservedFilesOf(context, [key]).catch((error) =>
    context.log.warn({ err: error }, `${key} could not be removed, will retry`),
  );
}
