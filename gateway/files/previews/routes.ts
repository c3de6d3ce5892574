import { previewRoutes } from "#contract/routes/uploads.ts";
import type { Context } from "#gateway/context.ts";
import { allowAnyOrigin } from "#gateway/files/storage/cors.ts";
import { isObjectKey } from "#gateway/files/storage/object-key.ts";
import { fileRemoved } from "#gateway/files/storage/send-object.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { lookAt } from "./look.ts";
import { verifyPreviewUrl } from "./url.ts";

/** Previews by signed URL; the first look makes them. */
export function installPreviews(app: App, context: Context): void {
  serve(app, previewRoutes, {
    "GET /previews/{key}": async (request, reply) => {
      const { query } = request;
      const key = request.params["*"];
      allowAnyOrigin(reply);
      verifyPreviewUrl(context, key, query);
      const left = new AbortController();
      whenClosed(reply.raw, () => left.abort());
      const previewKey = isObjectKey(key) ? await lookAt(context, key, left.signal) : null;
      const preview = previewKey === null ? null : await context.store.get(previewKey);
      if (!preview) throw fileRemoved();
      reply.headers({
        "content-type": preview.contentType,
        "content-length": String(preview.sizeBytes),
        // What is at an address never changes, so nobody loads it twice.
        "cache-control": `private, max-age=${secondsUntil(query.expires)}, immutable`,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
      return reply.send(preview.stream);
    },
  });
}

function secondsUntil(expires: string | undefined): number {
  return Math.max(0, Math.floor(Number(expires) - clock.now() / 1000));
}
