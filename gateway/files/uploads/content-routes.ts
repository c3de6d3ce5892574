import type { Readable } from "node:stream";
import { contentRoutes } from "#contract/routes/uploads.ts";
import { uploadMaxBytes } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import { allowAnyOrigin } from "#gateway/files/storage/cors.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { answerAppend, answerOffset, answerOptions } from "./parts/tus.ts";
import { receiveUpload } from "./receive.ts";
import { verifyPut } from "./verify-put.ts";

/** The signed addresses of an upload's bytes. Bodies are streams of any type, so they have their own content-type parsers. */
export async function installUploadContent(app: App, context: Context): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

  app.options("/uploads/:id/content", { config: { public: true } }, (_request, reply) =>
    answerOptions(reply),
  );

  const bodyLimit = uploadMaxBytes.video;
  serve(
    app,
    contentRoutes,
    {
      "PUT /uploads/{id}/content": async (request, reply) => {
        const { id } = request.params;
        allowAnyOrigin(reply);
        await verifyPut(context, id, request);
        const row = await receiveUpload(context, id, request.body as Readable);
        return {
          id: row.id,
          object: "upload" as const,
          status: row.status,
          size_bytes: row.sizeBytes,
          sha256: row.sha256,
        };
      },
      "PATCH /uploads/{id}/content": (request, reply) =>
        request.method === "HEAD"
          ? answerOffset(context, request, reply)
          : answerAppend(context, request, reply),
    },
    {
      "PUT /uploads/{id}/content": { bodyLimit },
      "PATCH /uploads/{id}/content": { bodyLimit, method: ["PATCH", "HEAD"] },
    },
  );
}
