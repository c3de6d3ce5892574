import type { FastifyReply, FastifyRequest } from "fastify";
import { fileRoutes } from "#contract/upload.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { attachment, filenameOf, safeDownloadName } from "./attachment.ts";
import { isObjectKey, type StoredObject } from "./object-store.ts";
import { isExpired, urlExpired } from "./signed-urls.ts";

/** Downloads by signed URL: outputs of predictions and sync operations, and uploads. */
export function installFiles(app: App, context: FilesContext): void {
  app.options("/files/*", { config: { public: true } }, (_request, reply) =>
    answerPreflight(reply, "GET, HEAD"),
  );

  serve(
    app,
    context,
    fileRoutes,
    {
      "GET /files/{key}": async (request, reply) => {
        const key = request.params["*"];
        allowAnyOrigin(reply);
        const expired = isExpired(context, { method: "GET", path: `/files/${key}`, query: request.query });
        const object = isObjectKey(key) ? await context.store.head(key) : null;
        if (!object) throw fileRemoved();
        if (expired) throw urlExpired();
        return sendObject(context, request, reply, key, object, request.query.filename);
      },
    },
    // HEAD is handled here: fastify's own would read the whole file.
    { "GET /files/{key}": { method: ["GET", "HEAD"] } },
  );
}

/** Sends an object, or the requested range of it, as a file to be saved. Throws `payload_purged`. */
export async function sendObject(
  { store }: FilesContext,
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
  // The headers are set after everything that can throw, because an error is sent as JSON with other headers.
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

type ByteRange = { start: number; end: number };

/**
 * Reads a `Range` header for an object of `sizeBytes`: the inclusive range, null for the whole object (no
 * header, or one that may be ignored: several ranges, another unit), `unsatisfiable` for a 416.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | null | "unsatisfiable" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}

const preflightSeconds = 600;
/** Headers that a page is allowed to read, besides those that pages can always read. */
const readable = "content-length, content-range, content-disposition, x-request-id";

/**
 * Allows pages of any origin to use a signed URL. The URL is the only credential: these routes read neither
 * cookies nor bearers, so a page can do no more than anyone else who has the URL.
 */
export function allowAnyOrigin(reply: FastifyReply, more: readonly string[] = []): FastifyReply {
  return reply.headers({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": [readable, ...more].join(", "),
    "cross-origin-resource-policy": "cross-origin",
  });
}

/** Answers a preflight; `sent` and `read` are additional headers. */
export function answerPreflight(
  reply: FastifyReply,
  methods: string,
  { sent = [], read = [] }: { sent?: readonly string[]; read?: readonly string[] } = {},
): FastifyReply {
  return allowAnyOrigin(reply, read)
    .headers({
      "access-control-allow-methods": methods,
      "access-control-allow-headers": ["content-type, range", ...sent].join(", "),
      "access-control-max-age": String(preflightSeconds),
    })
    .code(204)
    .send();
}
