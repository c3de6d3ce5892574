import type { FastifyReply } from "fastify";
import { sharedRoutes, shareRoutes } from "#contract/routes/shares.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { allowAnyOrigin, answerPreflight } from "#gateway/files/storage/cors.ts";
import { fileRemoved, sendObject } from "#gateway/files/storage/send-object.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createShare } from "./create.ts";
import { listShares, sharesOfOutput } from "./list.ts";
import { openShared, sharedFile } from "./open.ts";
import { revokeShare } from "./revoke.ts";

/** Links are for those who have them: kept by nobody, found by no search, and not told to other sites. */
const forHolders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

export function installShares(app: App, context: Context): void {
  serve(app, shareRoutes, {
    "GET /shares": (request) => listShares(context, actorOf(request).accountId, request.query),
    "GET /outputs/{id}/shares": (request) =>
      sharesOfOutput(context, actorOf(request).accountId, request.params.id, request.query),
    "POST /outputs/{id}/shares": (request) =>
      createShare(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /outputs/{id}/shares/{share_id}": (request) =>
      revokeShare(context, callerOf(request, actorOf(request)), request.params.id, request.params.share_id),
  });

  app.options("/shared/:token/files/:number", { config: { public: true } }, (_request, reply) =>
    answerPreflight(reply, "GET, HEAD"),
  );
  serve(
    app,
    sharedRoutes,
    {
      "GET /shared/{token}": (request, reply) => {
        reply.headers(forHolders);
        return openShared(context, request.params.token, request.actor);
      },
      "GET /shared/{token}/files/{number}": async (request, reply): Promise<FastifyReply> => {
        reply.headers(forHolders);
        // Nobody can send a credential from another origin: what a page can do is what its visitor can who has the link.
        allowAnyOrigin(reply);
        const { token, number } = request.params;
        const { key, filename } = await sharedFile(context, token, number, request.actor);
        const object = await context.store.head(key);
        if (!object) throw fileRemoved();
        return sendObject(context, request, reply, key, object, filename);
      },
    },
    // HEAD by hand, as of other files.
    { "GET /shared/{token}/files/{number}": { method: ["GET", "HEAD"] } },
  );
}
