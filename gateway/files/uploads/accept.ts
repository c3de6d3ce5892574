import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { type UploadRow, uploadNotFound } from "./queries.ts";
import { removeObjects } from "./storage-keys.ts";

/** Makes an object the bytes of a pending upload: once, whichever transfer ends first. Throws `upload_already_received`. */
export async function acceptBytes(
  context: Context,
  id: string,
  storageKey: string,
  sha256: string | null,
): Promise<UploadRow> {
  return context.database.transaction(async (queries) => {
    const [present] = await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
    if (present?.status !== "pending") throw present ? notPending(present) : uploadNotFound(id);
    await removeObjects(context, present, storageKey);
    const now = clock.date();
    const [row] = await queries
      .update(uploads)
      .set({
        status: "uploaded",
        storageKey,
        sha256,
        uploadedAt: now,
        objectExpiresAt: new Date(now.getTime() + context.config.retentionMs),
      })
      .where(eq(uploads.id, id))
      .returning();
    if (!row) throw uploadNotFound(id);
    return row;
  });
}

export function notPending(row: UploadRow): ApiError {
  if (row.status === "expired")
    return new ApiError("signature_expired", "This upload has expired. Create a new one.");
  return new ApiError(
    "upload_already_received",
    `The bytes of ${row.id} were received already. Create a new upload.`,
  );
}
