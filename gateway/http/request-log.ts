import type { Context } from "#gateway/context.ts";
import { createBatch } from "#gateway/database/batch.ts";
import { requestLogs } from "#gateway/database/schema.ts";
import type { App } from "./app.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the pipeline, for the request log. */
    operationModel: string | null;
    operationRegion: string | null;
  }
}

/** Keeps one row per authenticated API request: what was asked, how it ended, how long it took. */
export function installRequestLog(app: App, context: Context): void {
  app.decorateRequest("operationModel", null);
  app.decorateRequest("operationRegion", null);
  const batch = createBatch("request log", context.log, async (rows: (typeof requestLogs.$inferInsert)[]) => {
    await context.database.queries.insert(requestLogs).values(rows);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { actor } = request;
    if (actor) {
      batch.add({
        id: request.id,
        accountId: actor.accountId,
        at: new Date(Date.now() - reply.elapsedTime),
        method: request.method,
        route: request.routeOptions.url ?? "",
        status: reply.statusCode,
        code: request.errorCode,
        model: request.operationModel,
        region: request.operationRegion,
        keyId: actor.kind === "key" ? actor.id : null,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
      });
    }
    done();
  });
  app.addHook("onClose", () => batch.close());
}
