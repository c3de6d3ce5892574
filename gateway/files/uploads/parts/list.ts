import type { UploadParts } from "#contract/upload.ts";
import type { BaseContext } from "#gateway/context.ts";
import { asc, eq } from "#gateway/platform/database/drizzle.ts";
import { uploadParts } from "#gateway/platform/database/schema.ts";
import { findUpload } from "../queries.ts";

/**
 * The stored parts of an upload, with which a client can check that it has the same file. Throws
 * `upload_not_found`.
 */
export async function listParts(context: BaseContext, accountId: string, id: string): Promise<UploadParts> {
  const { queries } = context.database;
  await findUpload(queries, accountId, id);
  const rows = await queries
    .select()
    .from(uploadParts)
    .where(eq(uploadParts.uploadId, id))
    .orderBy(asc(uploadParts.number));
  let offset = 0;
  const data = rows.map(({ number, sizeBytes, sha256 }) => {
    const part = { number, offset_bytes: offset, size_bytes: sizeBytes, sha256 };
    offset += sizeBytes;
    return part;
  });
  return { object: "list", data };
}
