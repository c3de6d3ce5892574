import multipart from "@fastify/multipart";
import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { newId } from "#contract/ids.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { catalogRoutes } from "./catalog/routes.ts";
import type { Context } from "./context.ts";
import { operationRoutes } from "./execution/routes.ts";
import { whenAnswered } from "./http/answered.ts";
import type { App } from "./http/app.ts";
import { installAuthentication } from "./http/authenticate.ts";
import { installErrors } from "./http/errors.ts";
import { installExtensionSwitch } from "./http/extensions.ts";
import { healthRoutes } from "./http/health.ts";
import { installLimits } from "./http/limits.ts";
import { installMetrics } from "./http/metrics.ts";
import { installOpenApi } from "./http/openapi.ts";
import { installRequestLog } from "./http/request-log.ts";
import { answerUnreadableUrl } from "./http/unreadable-url.ts";
import { installUnusedConnections } from "./http/unused-connections.ts";
import { installValidation } from "./http/validation.ts";
import { predictionRoutes } from "./predictions/routes.ts";
import { fileRoutes } from "./storage/routes.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { usageRoutes } from "./usage/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

const defaultBodyBytes = 1_000_000;

/** Builds the HTTP service: what every request meets first, then the routes of each domain under `/v1`. */
export async function buildServer(context: Context): Promise<App> {
  const app: App = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => newId("request"),
    bodyLimit: defaultBodyBytes,
    frameworkErrors: answerUnreadableUrl,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 500 },
    trustProxy: context.config.trustProxy,
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    done();
  });
  whenAnswered(app, ({ request, status, ms }) => {
    const { method, routeOptions } = request;
    request.log.info({ method, route: routeOptions.url, status, ms: Math.round(ms) }, "request");
  });
  installUnusedConnections(app);
  installErrors(app);
  installValidation(app);
  installExtensionSwitch(app, context);
  installAuthentication(app, context);
  installLimits(app, context);
  installRequestLog(app, context);
  installMetrics(app, context);
  await app.register(multipart);
  await installOpenApi(app, context);
  await app.register(
    async (scope) => {
      const v1 = scope as App;
      catalogRoutes(v1, context);
      operationRoutes(v1, context);
      predictionRoutes(v1, context);
      fileRoutes(v1, context);
      uploadRoutes(v1, context);
      webhookRoutes(v1, context);
      accountRoutes(v1, context);
      usageRoutes(v1, context);
    },
    { prefix: "/v1" },
  );
  healthRoutes(app, context);
  return app;
}
