import multipart from "@fastify/multipart";
import { uploadRoutes } from "#contract/routes/uploads.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { installUploadContent } from "./content-routes.ts";
import { createUpload } from "./create.ts";
import { createFile } from "./create-file.ts";
import { deleteUpload } from "./delete.ts";
import { getUpload } from "./get.ts";
import { listUploads } from "./list.ts";
import { listParts } from "./parts/list.ts";
import { verifyUpload } from "./verify.ts";

/** Answers contain signed URLs: they must not be cached. */
const noStore = { "cache-control": "no-store" };

export function installUploads(app: App, context: Context): void {
  const { "POST /files": filesRoute, ...routes } = uploadRoutes;
  serve(app, routes, {
    "POST /uploads": async (request, reply) => {
      const actor = actorOf(request);
      return sendOnce(context, request, reply, actor, async () => {
        const upload = await createUpload(context, actor, request.body);
        const location = `${context.config.publicUrl}/v1/uploads/${upload.id}`;
        return { status: 201, headers: { ...noStore, location }, body: upload };
      });
    },
    "GET /uploads": async (request, reply) => {
      reply.headers(noStore);
      return listUploads(context, actorOf(request).accountId, request.query);
    },
    "GET /uploads/{id}": async (request, reply) => {
      reply.headers(noStore);
      return getUpload(context, actorOf(request).accountId, request.params.id);
    },
    "DELETE /uploads/{id}": async (request) =>
      deleteUpload(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /uploads/{id}/verify": async (request, reply) => {
      reply.headers(noStore);
      return verifyUpload(context, actorOf(request).accountId, request.params.id, request.body);
    },
    "GET /uploads/{id}/parts": async (request) =>
      listParts(context, actorOf(request).accountId, request.params.id),
  });

  app.register(async (scope) => {
    await scope.register(multipart);
    serve(
      scope as App,
      { "POST /files": filesRoute },
      {
        "POST /files": async (request, reply) => {
          reply.headers(noStore);
          return createFile(context, actorOf(request), request);
        },
      },
    );
  });
  app.register(async (contentApp) => installUploadContent(contentApp as App, context));
}
