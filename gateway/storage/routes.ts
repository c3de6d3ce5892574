import type { FastifyReply } from "fastify";
import { fileRoutes } from "#contract/routes/uploads.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Context } from "../context.ts";
import type { App } from "../http/app.ts";
import { serve } from "../http/serve.ts";
import { attachment, filenameOf, safeDownloadName } from "./attachment.ts";
import { allowAnyOrigin, answerPreflight } from "./cors.ts";
import { isObjectKey } from "./object-key.ts";
import type { StoredObject } from "./object-store.ts";
import { parseRange } from "./range.ts";
import { isExpired, urlExpired } from "./signed-urls.ts";

/** Downloads by signed URL: outputs of predictions and sync operations, and uploads. */
export function installFiles(app: App, context: Context): void {
  app.options("/files/*", { config: { public: true } }, (_request, reply) =>
    answerPreflight(reply, "GET, HEAD"),
  );

  serve(
    app,
    fileRoutes,
    {
      "GET /files/{key}": async (request, reply) => {
        const key = request.params["*"];
        allowAnyOrigin(reply);
        const expired = isExpired(context, { method: "GET", path: `/files/${key}`, query: request.query });
        const object = isObjectKey(key) ? await context.store.head(key) : null;
        if (!object) throw new ApiError("payload_purged", "This file was removed.");
        if (expired) throw urlExpired();
        const range = parseRange(request.headers.range, object.sizeBytes);
        if (range === "unsatisfiable")
          return reply.code(416).header("content-range", `bytes */${object.sizeBytes}`).send();
        const content = request.method === "HEAD" ? object : await context.store.get(key, range ?? undefined);
        if (!content) throw new ApiError("payload_purged", "This file was removed.");
        // Headers last: an error above is JSON and has its own.
        const given = request.query.filename ?? filenameOf(key, object.contentType);
        describeFile(reply, object, safeDownloadName(given, object.contentType));
        const { start, end } = range ?? { start: 0, end: object.sizeBytes - 1 };
        reply.header("content-length", String(end - start + 1));
        if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${object.sizeBytes}`);
        return reply.send("stream" in content ? content.stream : undefined);
      },
    },
    // HEAD by hand: the one that fastify adds would read the whole file.
    { "GET /files/{key}": { method: ["GET", "HEAD"] } },
  );
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
