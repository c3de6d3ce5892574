import { and, eq, like } from "drizzle-orm";
import type { UploadQuery } from "#contract/upload.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Queries } from "#gateway/database/database.ts";
import { keyset } from "#gateway/database/keyset.ts";
import { uploads } from "#gateway/database/schema.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** The account's upload. Throws `upload_not_found`, for another account's id too. */
export async function findUpload(
  queries: Queries,
  accountId: string,
  id: string,
  options: { forUpdate?: boolean } = {},
): Promise<UploadRow> {
  const query = queries
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.accountId, accountId)));
  const [row] = await (options.forUpdate ? query.for("update") : query);
  if (!row) throw uploadNotFound(id);
  return row;
}

export function uploadNotFound(id: string): ApiError {
  return new ApiError("upload_not_found", `There is no upload ${id}.`);
}

export async function selectUploads(queries: Queries, accountId: string, query: UploadQuery) {
  const page = keyset(uploads.id, query, [
    eq(uploads.accountId, accountId),
    query.status === undefined ? undefined : eq(uploads.status, query.status),
    query.kind === undefined ? undefined : like(uploads.contentType, `${query.kind}/%`),
  ]);
  const rows = await queries.select().from(uploads).where(page.where).orderBy(page.order).limit(page.limit);
  return { page, rows };
}
