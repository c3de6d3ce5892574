import type { UploadQuery } from "#contract/upload.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { idsByKind } from "#gateway/platform/database/by-kind.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, inArray, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { type Keyset, keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { uploads } from "#gateway/platform/database/schema.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** The account's upload. Throws `upload_not_found`, also for another account's id. */
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

export async function selectUploads(
  queries: Queries,
  accountId: string,
  query: UploadQuery,
  ...conditions: SQL[]
) {
  const { status, kind, user_id: userId, key_id: keyId, search } = query;
  const page = keyset("upload", uploads.id, query, [
    eq(uploads.accountId, accountId),
    userId === undefined ? undefined : eq(uploads.userId, userId),
    keyId === undefined ? undefined : eq(uploads.keyId, keyId),
    foundBy(search, {
      idColumn: uploads.id,
      among: eq(uploads.accountId, accountId),
      texts: [uploads.filename],
    }),
    ...conditions,
  ]);
  const parts = [uploads.status, sql`split_part(content_type, '/', 1)`];
  const wanted = (ofStatus: SQL, family: SQL) => [
    status === undefined ? undefined : eq(ofStatus, status),
    kind === undefined ? undefined : eq(family, kind),
  ];
  const named = wanted(sql`${uploads.status}`, sql`split_part(content_type, '/', 1)`);
  // Filters by member or key have their own indexes, and a search reads the newest rows anyway.
  const hasOwnIndex = [userId, keyId, search].some((value) => value !== undefined);
  const isByKind = named.some((condition) => condition) && !hasOwnIndex;
  const idsOf = (page: Keyset) => idsByKind(uploads, { accountId, parts, wanted, page });
  const rows = await queries
    .select()
    .from(uploads)
    .where(isByKind ? inArray(uploads.id, idsOf(page)) : and(page.where, ...named))
    .orderBy(page.order)
    .limit(page.limit);
  /** The rows to count. */
  const rowsOf = (whole: Keyset) =>
    isByKind ? idsOf(whole) : sql`select 1 from ${uploads} where ${and(whole.where, ...named)}`;
  return { page, rows, rowsOf };
}
