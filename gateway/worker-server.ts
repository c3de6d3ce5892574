import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { newId } from "#contract/ids.ts";
import type { Context } from "./context.ts";
import type { App } from "./http/app.ts";
import { installErrors } from "./http/errors.ts";
import { healthRoutes } from "./http/health.ts";
import { installMetrics } from "./http/metrics.ts";
import { sweeps } from "./sweeps.ts";

/** The HTTP service of a worker: `/healthz`, `/readyz` and `/metrics`, for those who watch it. */
export async function buildWorkerServer(context: Context): Promise<App> {
  const app: App = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => newId("request"),
    forceCloseConnections: true,
  });
  await installMetrics(app, context, sweeps);
  installErrors(app);
  healthRoutes(app, context);
  return app;
}
