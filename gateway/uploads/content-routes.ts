import type { Readable } from "node:stream";
import { Type } from "typebox";
import { UploadReceived, uploadMaxBytes } from "#contract/upload.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { allowAnyOrigin, answerPreflight } from "#gateway/storage/cors.ts";
import { receiveUpload } from "./receive.ts";
import { verifyPut } from "./verify-put.ts";

const Params = Type.Object({ id: Type.String() });
const Query = Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) });

/** The signed PUT. Its bodies are streams of any type, so it has its own content-type parsers. */
export async function contentRoutes(app: App, context: Context): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

  app.options("/uploads/:id/content", { config: { public: true } }, (_request, reply) =>
    answerPreflight(reply, "PUT"),
  );

  app.put(
    "/uploads/:id/content",
    {
      // The signature decides: clients may send an Authorization header with every request.
      config: { public: true, ownCredential: true },
      bodyLimit: uploadMaxBytes.video,
      schema: { params: Params, querystring: Query, response: { 200: UploadReceived } },
    },
    async (request, reply) => {
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
  );
}
