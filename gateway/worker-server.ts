import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { newId } from "#contract/ids.ts";
import { installErrors } from "#gateway/platform/http/errors.ts";
import type { Districts } from "./districts.ts";
import { cutSlowRequests } from "./platform/core/slow-requests.ts";
import { type App, installRoute } from "./platform/http/app.ts";
import { healthRoutes, installMetrics } from "./platform/http/monitoring.ts";
import { quietHeader } from "./platform/network/quiet.ts";

/** The HTTP service of a worker: `/healthz`, `/readyz` and `/metrics`, for monitoring. */
export async function buildWorkerServer({ context }: Districts): Promise<App> {
  const app: App = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => newId("request"),
    forceCloseConnections: true,
  });
  cutSlowRequests(app.server);
  if (context.config.quiet)
    app.addHook("onRequest", async (_request, reply) => void reply.header(quietHeader, "on"));
  installRoute(app);
  await installMetrics(app, context);
  installErrors(app, context);
  healthRoutes(app, context);
  return app;
}
