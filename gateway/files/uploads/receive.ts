import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { BaseContext } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { acceptBytes, notPending } from "./accept.ts";
import { withIdleTimeout } from "./idle-timeout.ts";
import { type UploadRow, uploadNotFound } from "./queries.ts";
import { withKey, withoutKey } from "./storage-keys.ts";

/** A transfer that started in time may take this long before its upload counts as abandoned. */
const longestTransferMs = 3_600_000;

/** A sender that is silent for this long is disconnected; it may PUT again. */
const longestSilenceMs = 60_000;

/**
 * Receives the bytes of a pending upload; the caller has checked the signature, which includes length and
 * type. After an interrupted transfer the upload stays pending, with the full time for a retry. Of two
 * concurrent transfers the first to finish wins; the other gets 409 and its bytes are removed.
 */
export async function receiveUpload(
  context: BaseContext,
  id: string,
  body: Readable,
  silenceMs = longestSilenceMs,
): Promise<UploadRow> {
  // Each transfer has its own key, so that a late one can never replace verified bytes.
  const storageKey = `uploads/${id}/${randomBytes(8).toString("hex")}`;
  const row = await beginTransfer(context, id, storageKey);
  const { contentType, sizeBytes: maxBytes } = row;
  try {
    const bytes = withIdleTimeout(body, silenceMs);
    const stored = await context.store.put(storageKey, bytes, { contentType, maxBytes });
    if (stored.sizeBytes !== row.sizeBytes) throw wrongLength(row);
    return await acceptBytes(context, id, storageKey, stored.sha256);
  } catch (error) {
    await abandonTransfer(context, id, storageKey).catch((cause) =>
      context.log.warn({ err: cause }, `bytes of ${id} could not be removed; they stay until it expires`),
    );
    throw error;
  }
}

/** Records the object key in the row before any bytes are stored. Concurrent transfers each have their own key. */
async function beginTransfer(context: BaseContext, id: string, storageKey: string): Promise<UploadRow> {
  return context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(uploads)
      .set({ urlExpiresAt: new Date(clock.now() + longestTransferMs), storageKey: withKey(storageKey) })
      .where(and(eq(uploads.id, id), eq(uploads.status, "pending")))
      .returning();
    if (row) {
      if (row.storageKey !== storageKey) await context.storageLimit.assertWithin(queries, row.accountId);
      return row;
    }
    const [present] = await queries.select().from(uploads).where(eq(uploads.id, id));
    throw present ? notPending(present) : uploadNotFound(id);
  });
}

/** Removes the bytes of a failed transfer. If that also fails, the key stays in the row for the sweep. */
async function abandonTransfer(context: BaseContext, id: string, storageKey: string): Promise<void> {
  await context.database.transaction(async (queries) => {
    const [row] = await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
    // The bytes were accepted, and only the database's confirmation was lost.
    if (row && row.status !== "pending" && row.storageKey === storageKey) return;
    await context.store.delete([storageKey]);
    if (row?.status !== "pending") return;
    const urlExpiresAt = new Date(clock.now() + context.config.uploadUrlTtlMs);
    await queries
      .update(uploads)
      .set({ urlExpiresAt, storageKey: withoutKey(storageKey) })
      .where(eq(uploads.id, id));
  });
}

function wrongLength(row: UploadRow): ApiError {
  return new ApiError("invalid_parameter", `Exactly ${row.sizeBytes} bytes were announced.`, {
    param: "size_bytes",
  });
}
