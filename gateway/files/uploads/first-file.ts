import type { FastifyRequest } from "fastify";
import { type Spooled, spool, TooManyBytesError } from "#gateway/files/storage/spool.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { multipartFailure } from "#gateway/platform/http/multipart-failure.ts";

/** A file and a few words about it. */
const maxParts = 8;

export interface FirstFile extends Spooled {
  filename: string;
  /** The type that its sender declared. */
  declared: string;
}

/** The first file of a multipart body, in `directory`; `named`: the part that errors ask for. Throws `upload_too_large`, `missing_parameter`, `malformed_request`. */
export async function firstFile(
  request: FastifyRequest,
  directory: string,
  maxBytes: number,
  named: "content" | "file",
): Promise<FirstFile> {
  const limits = { fileSize: Number.MAX_SAFE_INTEGER, fieldSize: 100_000, parts: maxParts };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== "file" || (part.fieldname !== "content" && part.fieldname !== "file")) {
        if (part.type === "file") part.file.resume();
        continue;
      }
      const spooled = await spool(part.file, directory, maxBytes);
      // What follows is not read: it says nothing of the bytes.
      return { ...spooled, filename: part.filename, declared: part.mimetype };
    }
  } catch (error) {
    if (error instanceof TooManyBytesError)
      throw new ApiError("upload_too_large", `A file has at most ${maxBytes} bytes.`, { param: named });
    throw multipartFailure(error);
  }
  throw new ApiError("missing_parameter", `The body has no file in a part named ${named}.`, {
    param: named,
  });
}
