import { Type } from "typebox";
import { Deleted } from "#contract/list.ts";
import { Upload, UploadCreate, UploadList, UploadQuery, UploadVerify } from "#contract/upload.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { sendOnce } from "#gateway/http/idempotency.ts";
import { contentRoutes } from "./content-routes.ts";
import { createUpload } from "./create.ts";
import { deleteUpload } from "./delete.ts";
import { getUpload } from "./get.ts";
import { listUploads } from "./list.ts";
import { verifyUpload } from "./verify.ts";

const Params = Type.Object({ id: Type.String() });
/** Answers contain signed URLs: they must not be cached. */
const noStore = { "cache-control": "no-store" };

export function uploadRoutes(app: App, context: Context): void {
  app.post(
    "/uploads",
    {
      config: { permission: "uploads:write", idempotent: true },
      schema: { body: UploadCreate, response: { 201: Upload } },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      return sendOnce(context, request, reply, actor, async () => {
        const upload = await createUpload(context, actor, request.body);
        const location = `${context.config.publicUrl}/v1/uploads/${upload.id}`;
        return { status: 201, headers: { ...noStore, location }, body: upload };
      });
    },
  );

  app.get(
    "/uploads",
    {
      config: { permission: "uploads:read", extension: true },
      schema: { querystring: UploadQuery, response: { 200: UploadList } },
    },
    async (request, reply) => {
      reply.headers(noStore);
      return listUploads(context, actorOf(request).accountId, request.query);
    },
  );

  app.get(
    "/uploads/:id",
    { config: { permission: "uploads:read" }, schema: { params: Params, response: { 200: Upload } } },
    async (request, reply) => {
      reply.headers(noStore);
      return getUpload(context, actorOf(request).accountId, request.params.id);
    },
  );

  app.delete(
    "/uploads/:id",
    { config: { permission: "uploads:write" }, schema: { params: Params, response: { 200: Deleted } } },
    async (request) => deleteUpload(context, callerOf(request, actorOf(request)), request.params.id),
  );

  app.post(
    "/uploads/:id/verify",
    {
      config: { permission: "uploads:write" },
      schema: { params: Params, body: UploadVerify, response: { 200: Upload } },
    },
    async (request, reply) => {
      reply.headers(noStore);
      return verifyUpload(context, actorOf(request).accountId, request.params.id, request.body);
    },
  );

  app.register(async (contentApp) => contentRoutes(contentApp as App, context));
}
