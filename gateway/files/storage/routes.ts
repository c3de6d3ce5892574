import { fileRoutes } from "#contract/routes/uploads.ts";
import type { Context } from "../../context.ts";
import type { App } from "../../platform/http/app.ts";
import { serve } from "../../platform/http/serve.ts";
import { allowAnyOrigin, answerPreflight } from "./cors.ts";
import { isObjectKey } from "./object-key.ts";
import { fileRemoved, sendObject } from "./send-object.ts";
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
        if (!object) throw fileRemoved();
        if (expired) throw urlExpired();
        return sendObject(context, request, reply, key, object, request.query.filename);
      },
    },
    // HEAD by hand: the one that fastify adds would read the whole file.
    { "GET /files/{key}": { method: ["GET", "HEAD"] } },
  );
}
