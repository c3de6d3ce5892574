import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { attachment, filenameOf, safeDownloadName } from "./attachment.ts";
import type { StoredObject } from "./object-store.ts";
import { parseRange } from "./range.ts";

/** Sends an object, or the range of it that the request asks for, as a file to be saved. Throws `payload_purged`. */
export async function sendObject(
  { store }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  object: StoredObject,
  filename = filenameOf(key, object.contentType),
): Promise<FastifyReply> {
  const range = parseRange(request.headers.range, object.sizeBytes);
  if (range === "unsatisfiable")
    return reply.code(416).header("content-range", `bytes */${object.sizeBytes}`).send();
  const content = request.method === "HEAD" ? object : await store.get(key, range ?? undefined);
  if (!content) throw fileRemoved();
  // Headers last: an error above is JSON and has its own.
  describeFile(reply, object, safeDownloadName(filename, object.contentType));
  const { start, end } = range ?? { start: 0, end: object.sizeBytes - 1 };
  reply.header("content-length", String(end - start + 1));
  if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${object.sizeBytes}`);
  return reply.send("stream" in content ? content.stream : undefined);
}

export function fileRemoved(): ApiError {
  return new ApiError("payload_purged", "This file was removed.");
}

function describeFile(reply: FastifyReply, object: StoredObject, filename: string): void {
  reply.headers({
    "content-type": object.contentType,
    "content-disposition": attachment(filename),
    "accept-ranges": "bytes",
    "cache-control": "private, no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
}
