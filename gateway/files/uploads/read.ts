import { type AttestationKind, attestationKinds } from "#contract/attestations.ts";
import type { List } from "#contract/list.ts";
import {
  type FilePurpose,
  type OpenAiFile,
  tableTypes,
  type Upload,
  type UploadParts,
  type UploadQuery,
  uploadReference,
} from "#contract/upload.ts";
import { type Attester, activeAttestations } from "#gateway/access/accounts/attestations/gates.ts";
import { readMakers } from "#gateway/access/accounts/people.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { previewUrl } from "#gateway/files/previews/url.ts";
import { fileUrl, inputKey, signedUrl } from "#gateway/files/storage/signed-urls.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { idsByKind } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray, isNotNull, or, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { type Keyset, keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { uploadParts, uploads } from "#gateway/platform/database/schema.ts";

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
  const { status, kind, sha256, user_id: userId, key_id: keyId, search } = query;
  const page = keyset("upload", uploads.id, query, [
    eq(uploads.accountId, accountId),
    userId === undefined ? undefined : eq(uploads.userId, userId),
    keyId === undefined ? undefined : eq(uploads.keyId, keyId),
    sha256 === undefined ? undefined : eq(uploads.sha256, sha256),
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
  // Filters by member or key have their own indexes, a search reads the newest rows anyway, and an account has few
  // uploads with a hash at a time.
  const hasOwnIndex = [userId, keyId, search, sha256].some((value) => value !== undefined);
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

/** An upload in its account's view, with new signed URLs for the possible next steps. */
export function uploadView(context: FilesContext, row: UploadRow, now = clock.date()): Upload {
  const urlExpiresAt = urlExpiry(context, row, now);
  return {
    id: row.id,
    object: "upload",
    status: row.status,
    content_type: row.contentType,
    size_bytes: row.sizeBytes,
    filename: row.filename,
    sha256: row.sha256,
    reference: uploadReference(row.id),
    upload_url: row.status === "pending" ? uploadUrl(context, row, urlExpiresAt) : null,
    resume_url: row.status === "pending" ? resumeUrl(context, row, urlExpiresAt) : null,
    received_bytes: receivedBytes(row),
    upload_method: "PUT",
    upload_headers: { "content-type": row.contentType, "content-length": String(row.sizeBytes) },
    download_url: downloadUrl(context, row, urlExpiresAt),
    preview_url: previewOf(context, row),
    url_expires_at: urlExpiresAt.toISOString(),
    object_expires_at: row.objectExpiresAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    verified_at: row.verifiedAt?.toISOString() ?? null,
    error: row.error,
  };
}

/** Whether a file of this type is a table of inputs. Tables are text: their first bytes do not reveal them. */
export function isTable(contentType: string): boolean {
  return tableTypes.some((type) => type === contentType);
}

/**
 * The uploads without the addresses of tables that this reader may not read. Until a batch uses a file of
 * requests, they may be for any model.
 */
export async function shownTo<Shown extends Upload>(
  { database: { queries } }: FilesContext,
  reader: Attester,
  list: readonly Shown[],
): Promise<Shown[]> {
  const tables = list.filter(({ content_type: type, download_url: url }) => isTable(type) && url !== null);
  const missing = await missingFor(
    queries,
    reader,
    tables.map(({ id }) => id),
    attestationKinds,
  );
  return list.map((upload) => {
    const gated = missing.get(upload.id);
    return gated ? { ...upload, download_url: null, gated } : upload;
  });
}

/**
 * Throws the error of the attestation that the reader lacks for the requests in this table. `ofUnused`: the
 * attestations for a file of requests that no batch has used.
 */
export async function assertMayReadTable(
  queries: Queries,
  reader: Attester,
  id: string,
  ofUnused: readonly AttestationKind[] = [],
): Promise<void> {
  const missing = (await missingFor(queries, reader, [id], ofUnused)).get(id);
  if (missing === undefined) return;
  throw new ApiError(
    `${missing}_attestation_required`,
    `The requests in ${id} are for a model that asks for an attestation. They are shown only to people who have attested "${missing}" in the console (Attestations), and to their keys.`,
  );
}

/** The first attestation that the reader lacks for each of these uploads; those without one are left out. */
async function missingFor(
  queries: Queries,
  reader: Attester,
  ids: readonly string[],
  ofUnused: readonly AttestationKind[],
): Promise<Map<string, AttestationKind>> {
  if (ids.length === 0) return new Map();
  const gated = await queries
    .select({ id: uploads.id, gates: uploads.gates })
    .from(uploads)
    .where(and(inArray(uploads.id, [...ids]), or(isNotNull(uploads.gates), eq(uploads.purpose, "batch"))));
  const active = gated.length === 0 ? new Set() : await activeAttestations(queries, reader);
  return new Map(
    gated.flatMap(({ id, gates }) => {
      const missing = (gates ?? ofUnused).find((kind) => !active.has(kind));
      return missing ? [[id, missing]] : [];
    }),
  );
}

/** An upload as OpenAI's clients read a file. */
export function openAiFile(row: UploadRow): OpenAiFile {
  const { id, status, sizeBytes, contentType, createdAt, objectExpiresAt, error } = row;
  const isLost = status === "rejected" || status === "expired";
  return {
    id,
    object: "file",
    bytes: sizeBytes,
    created_at: unixSeconds(createdAt),
    expires_at: objectExpiresAt && unixSeconds(objectExpiresAt),
    filename: row.filename ?? id,
    purpose: row.purpose ?? purposeOf(contentType),
    status: isLost ? "error" : status === "verified" ? "processed" : "uploaded",
    status_details: error?.message ?? (isLost ? `It is ${status}.` : null),
    content_type: contentType,
  };
}

/** The condition for uploads with this purpose; must agree with `purposeOf`. */
export function hasPurpose(purpose: FilePurpose): SQL {
  return sql`coalesce(${uploads.purpose}, case when content_type = ${batchType} then 'batch'
    when content_type like 'image/%' then 'vision' else 'user_data' end) = ${purpose}`;
}

/** The purpose of an upload that was not sent by an OpenAI client. */
function purposeOf(contentType: string): FilePurpose {
  if (contentType === batchType) return "batch";
  return contentType.startsWith("image/") ? "vision" : "user_data";
}

const batchType = "application/jsonl";

export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** Path of the signed PUT, after `/v1`. */
export function contentPath(id: string): string {
  return `/uploads/${id}/content`;
}

function uploadUrl(context: FilesContext, row: UploadRow, expiresAt: Date): string {
  const { contentType, sizeBytes } = row;
  return signedUrl(context, { method: "PUT", path: contentPath(row.id), expiresAt, contentType, sizeBytes });
}

/**
 * The URL for HEAD and PATCH. Its length and type are those of the row, whatever the request's headers are.
 */
function resumeUrl(context: FilesContext, { id }: UploadRow, expiresAt: Date): string {
  return signedUrl(context, { method: "PATCH", path: contentPath(id), expiresAt });
}

/** The number of stored bytes, or for an expired upload of the bytes stored until then. */
export function receivedBytes(row: UploadRow): number {
  return row.status === "pending" || row.status === "expired" ? row.receivedBytes : row.sizeBytes;
}

function downloadUrl(context: FilesContext, row: UploadRow, expiresAt: Date): string | null {
  if (row.status !== "verified" || row.storageKey === null) return null;
  return fileUrl(context, inputKey(row.storageKey), {
    expiresAt,
    ...(row.filename && { filename: row.filename }),
  });
}

function previewOf(context: FilesContext, row: UploadRow): string | null {
  const { status, storageKey: key, contentType, objectExpiresAt: expiresAt } = row;
  if (status !== "verified" || key === null || expiresAt === null) return null;
  return previewUrl(context, { key: inputKey(key), contentType, expiresAt });
}

/** No URL is valid longer than its file. */
function urlExpiry(context: FilesContext, row: UploadRow, now: Date): Date {
  const freshUntil = now.getTime() + context.config.uploadUrlTtlMs;
  const endsAt =
    row.status === "pending" || row.status === "expired" ? row.urlExpiresAt : row.objectExpiresAt;
  return new Date(Math.min(freshUntil, endsAt?.getTime() ?? freshUntil));
}

/** The account's uploads, newest first. */
export async function listUploads(
  context: FilesContext,
  accountId: string,
  query: UploadQuery,
): Promise<List<Upload>> {
  const { queries } = context.database;
  const { page, rows, rowsOf } = await selectUploads(queries, accountId, query);
  const makerOf = await readMakers(queries, rows);
  const list = listOf(page, rows, (row) => ({ ...uploadView(context, row), made_by: makerOf(row) }));
  return withTotal(queries, page, list, rowsOf);
}

/**
 * The stored parts of an upload, with which a client can check that it has the same file. Throws
 * `upload_not_found`.
 */
export async function listParts(context: FilesContext, accountId: string, id: string): Promise<UploadParts> {
  const { queries } = context.database;
  await findUpload(queries, accountId, id);
  const rows = await storedParts(queries, id);
  let offset = 0;
  const data = rows.map(({ number, sizeBytes, sha256 }) => {
    const part = { number, offset_bytes: offset, size_bytes: sizeBytes, sha256 };
    offset += sizeBytes;
    return part;
  });
  return { object: "list", data };
}

/** The stored parts of an upload, in the order of the file. */
export function storedParts(queries: Queries, id: string) {
  return queries
    .select()
    .from(uploadParts)
    .where(eq(uploadParts.uploadId, id))
    .orderBy(asc(uploadParts.number));
}
