import type { Upload } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, sql } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { expirePending } from "./expire.ts";
import { findUpload } from "./queries.ts";
import { uploadView } from "./view.ts";

/** One upload with fresh URLs; reading a pending one renews the full time to send it. */
export async function getUpload(context: Context, accountId: string, id: string): Promise<Upload> {
  const { queries } = context.database;
  const row = await findUpload(queries, accountId, id);
  if (row.status !== "pending") return uploadView(context, row);
  const now = clock.date();
  if (row.urlExpiresAt <= now) {
    await expirePending(context, id);
    return uploadView(context, await findUpload(queries, accountId, id), now);
  }
  const freshUntil = new Date(now.getTime() + context.config.uploadUrlTtlMs);
  // A running transfer has already set a later end.
  const urlExpiresAt = sql`greatest(${uploads.urlExpiresAt}, ${freshUntil.toISOString()}::timestamptz)`;
  const [extended] = await queries
    .update(uploads)
    .set({ urlExpiresAt })
    .where(and(eq(uploads.id, id), eq(uploads.status, "pending")))
    .returning();
  // If it is no longer pending, it is read again.
  return uploadView(context, extended ?? (await findUpload(queries, accountId, id)), now);
}
