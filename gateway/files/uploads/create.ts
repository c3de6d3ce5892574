import { newId } from "#contract/ids.ts";
import type { Upload, UploadCreate } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { hidden } from "#gateway/files/storage/attachment.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { acceptedType } from "./content-type.ts";
import { uploadView } from "./view.ts";

/**
 * Announces an upload: the answer holds the URL that its bytes are PUT to. Throws `upload_too_large`,
 * `unsupported_content_type`, `storage_limit_exceeded`.
 */
export async function createUpload(
  context: Context,
  { accountId, kind, id, userId }: Actor,
  input: UploadCreate,
): Promise<Upload> {
  const { contentType, family, maxBytes } = acceptedType(input.content_type);
  if (input.size_bytes > maxBytes) {
    const message = `size_bytes must be at most ${maxBytes} for ${family} files.`;
    throw new ApiError("upload_too_large", message, { param: "size_bytes" });
  }
  const row = await context.database.transaction(async (queries) => {
    const [added] = await queries
      .insert(uploads)
      .values({
        id: newId("upload"),
        accountId,
        keyId: kind === "key" ? id : null,
        userId,
        contentType,
        sizeBytes: input.size_bytes,
        filename: safeFilename(input.filename),
        expectedSha256: input.sha256 ?? null,
        urlExpiresAt: new Date(clock.now() + context.config.uploadUrlTtlMs),
      })
      .returning();
    await context.storageLimit.assertWithin(queries, accountId);
    return added;
  });
  if (!row) throw new Error("the upload was not inserted");
  return uploadView(context, row);
}

/** The last part of a path, without characters that file systems reject or that hide how it ends; null when nothing is left. */
function safeFilename(text = ""): string | null {
  const name = text.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const kept = name
    .replace(hidden, "")
    .replace(/[<>:"|?*]/g, "")
    .trim();
  return kept.replace(/^\.+/, "") || null;
}
