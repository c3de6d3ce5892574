import { createReadStream } from "node:fs";
import type { FastifyRequest } from "fastify";
import { type FileObject, uploadMaxBytes } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { sniffFile } from "#gateway/files/storage/sniff.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { tableTypeOf } from "./content-type.ts";
import { createUpload } from "./create.ts";
import { firstFile } from "./first-file.ts";
import { receiveUpload } from "./receive.ts";
import { verifyUpload } from "./verify.ts";

const maxBytes = Math.max(...Object.values(uploadMaxBytes));

/**
 * A private upload in one request, as the clients of Replicate and OpenAI send files: the first file part of a multipart body is what
 * counts. Its type is that of its bytes, or of a table's name. Throws as `createUpload`, and `missing_parameter`, `malformed_request`, `unsupported_content_type`.
 */
export function createFile(context: Context, actor: Actor, request: FastifyRequest): Promise<FileObject> {
  if (!request.isMultipart())
    throw new ApiError(
      "unsupported_media_type",
      "Send the file as multipart/form-data, in a part named content.",
    );
  return context.scratch.withDirectory(async (directory) => {
    const { file, sizeBytes, sha256, filename, declared } = await firstFile(
      request,
      directory,
      maxBytes,
      "content",
    );
    const sniffed = await sniffFile(file);
    const type = sniffed?.types[sniffed.family] ?? tableTypeOf(declared, filename) ?? declared;
    const size = { content_type: type, size_bytes: sizeBytes, sha256 };
    const { id } = await createUpload(context, actor, { ...size, ...(filename && { filename }) });
    await receiveUpload(context, id, createReadStream(file));
    const upload = await verifyUpload(context, actor.accountId, id, {});
    if (upload.status !== "verified" || upload.download_url === null)
      throw new ApiError("upload_not_usable", upload.error?.message ?? "The file could not be kept.");
    return {
      id,
      object: "file",
      name: upload.filename ?? id,
      content_type: upload.content_type,
      size: upload.size_bytes,
      checksums: { sha256 },
      metadata: {},
      created_at: upload.created_at,
      expires_at: upload.object_expires_at,
      urls: { get: upload.download_url },
    };
  });
}
