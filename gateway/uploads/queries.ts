import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { UploadQuery } from "#contract/upload.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { idsByKind } from "#gateway/database/by-kind.ts";
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
  return new ApiError(
    "upload_not_found",
    `There is no upload ${id}. Expired ones are removed from the list after a while.`,
  );
}

export async function selectUploads(queries: Queries, accountId: string, query: UploadQuery) {
  const { status, kind } = query;
  const page = keyset(uploads.id, query, [eq(uploads.accountId, accountId)]);
  const parts = [uploads.status, sql`split_part(content_type, '/', 1)`];
  const wanted = (ofStatus: SQL, family: SQL) => [
    status === undefined ? undefined : eq(ofStatus, status),
    kind === undefined ? undefined : eq(family, kind),
  ];
  const isFiltered = status !== undefined || kind !== undefined;
  const rows = await queries
    .select()
    .from(uploads)
    .where(
      isFiltered ? inArray(uploads.id, idsByKind(uploads, { accountId, parts, wanted, page })) : page.where,
    )
    .orderBy(page.order)
    .limit(page.limit);
  return { page, rows };
}
