import type { FastifyRequest } from "fastify";
import type { BaseContext } from "#gateway/context.ts";
import { type Spooled, spool, TooManyBytesError } from "#gateway/files/storage/spool.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { multipartFailure } from "#gateway/platform/http/multipart-failure.ts";
import { type UploadRow, uploadNotFound } from "./queries.ts";
import { removeObjects } from "./storage-keys.ts";

/**
 * Makes an object the content of a pending upload; only the first transfer to finish succeeds. Throws
 * `upload_already_received`.
 */
export async function acceptBytes(
  context: BaseContext,
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
    `The bytes of ${row.id} were already received. Create a new upload.`,
  );
}

/** Enough parts for a file and a few text fields. */
const maxParts = 8;

interface FirstFile extends Spooled {
  filename: string;
  /** The type declared by the sender. */
  declared: string;
  /** The requested texts, by the names of their parts. */
  texts: ReadonlyMap<string, string>;
}

/**
 * The first file of a multipart body, stored in `directory`, and the texts named in `asked`, which may follow
 * the file; `named`: the part that errors mention. Throws `upload_too_large`, `missing_parameter`,
 * `malformed_request`.
 */
export async function firstFile(
  request: FastifyRequest,
  directory: string,
  maxBytes: number,
  named: "content" | "file",
  asked: readonly string[] = [],
): Promise<FirstFile> {
  const limits = { fileSize: Number.MAX_SAFE_INTEGER, fieldSize: 100_000, parts: maxParts };
  const texts = new Map<string, string>();
  let found: FirstFile | null = null;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") {
        if (asked.includes(part.fieldname)) texts.set(part.fieldname, String(part.value));
      } else if (found || (part.fieldname !== "content" && part.fieldname !== "file")) {
        part.file.resume();
      } else {
        const spooled = await spool(part.file, directory, maxBytes);
        found = { ...spooled, filename: part.filename, declared: part.mimetype, texts };
        // Nothing after the file is read, because the caller wants no texts.
        if (asked.length === 0) break;
      }
    }
    if (found) return found;
  } catch (error) {
    if (error instanceof TooManyBytesError)
      throw new ApiError(
        "upload_too_large",
        `A file can have at most ${maxBytes} bytes. Send a smaller one.`,
        { param: named },
      );
    throw multipartFailure(error);
  }
  throw new ApiError("missing_parameter", `The body has no file in a part named ${named}.`, {
    param: named,
  });
}
