import { and, eq, sql } from "drizzle-orm";
import type { Upload } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { uploads } from "#gateway/database/schema.ts";
import { findUpload } from "./queries.ts";
import { uploadView } from "./view.ts";

/** One upload with fresh URLs; reading a pending one gives its sender the full time again. */
export async function getUpload(context: Context, accountId: string, id: string): Promise<Upload> {
  const { queries } = context.database;
  const row = await findUpload(queries, accountId, id);
  if (row.status !== "pending") return uploadView(context, row);
  const now = new Date();
  if (row.urlExpiresAt <= now)
    return uploadView(context, await settle(context, id, { status: "expired" }, row), now);
  const freshUntil = new Date(now.getTime() + context.config.uploadUrlTtlMs);
  // A transfer under way has set a later end already.
  const urlExpiresAt = sql`greatest(${uploads.urlExpiresAt}, ${freshUntil.toISOString()}::timestamptz)`;
  return uploadView(context, await settle(context, id, { urlExpiresAt }, row), now);
}

/** Changes a pending upload; when it is pending no more, reads it again. */
async function settle(
  context: Context,
  id: string,
  change: Parameters<ReturnType<typeof context.database.queries.update<typeof uploads>>["set"]>[0],
  row: typeof uploads.$inferSelect,
) {
  const { queries } = context.database;
  const [changed] = await queries
    .update(uploads)
    .set(change)
    .where(and(eq(uploads.id, id), eq(uploads.status, "pending")))
    .returning();
  return changed ?? (await findUpload(queries, row.accountId, id));
}
