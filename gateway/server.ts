import fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from "fastify";
import { newId } from "#contract/ids.ts";
import {
  installClientAddress,
  installCrossOrigin,
  installExtensionSwitch,
  installOriginCheck,
} from "#gateway/platform/http/cross-origin.ts";
import { installErrors } from "#gateway/platform/http/errors.ts";
import { installOpenApi } from "#gateway/platform/http/openapi.ts";
import type { Districts } from "./districts.ts";
import { cutSlowRequests } from "./platform/core/slow-requests.ts";
import { type App, installRoute } from "./platform/http/app.ts";
import { installAuthentication } from "./platform/http/authenticate.ts";
import {
  answerUnreadableRequest,
  answerUnreadableUrl,
  installBeforeRouting,
  installUnreadBodies,
  installUnusedConnections,
} from "./platform/http/connections.ts";
import { installInner } from "./platform/http/inner-request.ts";
import { installLimits, isLimitRefusal } from "./platform/http/limits.ts";
import { healthRoutes, installMetrics } from "./platform/http/monitoring.ts";
import { installRequestLog } from "./platform/http/request-log.ts";
import { installTracing } from "./platform/http/tracing.ts";
import { installValidation } from "./platform/http/validation.ts";
import { whenAnswered } from "./platform/http/when-closed.ts";
import { quietHeader } from "./platform/network/quiet.ts";

const defaultBodyBytes = 1_000_000;

/**
 * Builds the HTTP service: first the steps common to all requests, then the routes of the districts. `prepare`
 * may add hooks before all others.
 */
export async function buildServer(
  { context, routes, rootRoutes }: Districts,
  prepare = (_app: App): void => {},
): Promise<App> {
  const app: App = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: () => newId("request"),
    // Clients of Anthropic's API add /v1 to a base URL that may already end in it.
    rewriteUrl: ({ url = "/" }) => pathMeant(url),
    bodyLimit: defaultBodyBytes,
    frameworkErrors: answerUnreadableUrl,
    clientErrorHandler: ({ code }, socket) => answerUnreadableRequest(context.log, code, socket),
    forceCloseConnections: "idle",
    // Requests on open connections are answered even while the server closes.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    trustProxy: context.config.trustProxy.isTrusted,
  });
  cutSlowRequests(app.server);
  installRoute(app);
  prepare(app);
  installInner(app);
  installTracing(app, context);
  let open = 0;
  context.drain.count(() => open);
  app.addHook("onRequest", (request, reply, done) => {
    if (isWork(request)) open += 1;
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    if (context.config.quiet) reply.header(quietHeader, "on");
    if (context.drain.isBegun || context.drain.isPaused) reply.header("connection", "close");
    done();
  });
  whenAnswered(app, ({ request, status, ms }) => {
    if (isWork(request)) open -= 1;
    if (request.actor && isLimitRefusal(request.failure?.code)) return; // The request log sums refusals up.
    const { method, route } = request;
    const isFrequent = route.config?.healthCheck || request.inner?.actor;
    const level = isFrequent && status < 300 ? "debug" : "info";
    request.log[level]({ method, route: route.url, status, ms: Math.round(ms) }, "request");
  });
  // Added before the routes, because it collects them for the OpenAPI document.
  installOpenApi(app, context);
  // Added before anything that may refuse a request, so that every answer is counted.
  await installMetrics(app, context);
  installUnusedConnections(app);
  installUnreadBodies(app);
  installErrors(app, context);
  installBeforeRouting(app);
  installValidation(app);
  installExtensionSwitch(app, context);
  installClientAddress(app, context);
  installCrossOrigin(app, context.origins);
  installAuthentication(app, context);
  installOriginCheck(app);
  installRequestLog(app, context);
  installLimits(app, context);
  await app.register(
    async (v1) => {
      for (const add of routes) add(v1 as App);
    },
    { prefix: "/v1" },
  );
  for (const add of rootRoutes) await add(app);
  healthRoutes(app, context);
  return app;
}

/**
 * Whether a drained process has the request in hand until it is answered. A connection of a WebSocket is no
 * work, because each of its messages is a request, nor is an event stream that somebody reads (GET), because
 * it may never end.
 */
function isWork({ method, route: { config }, headers }: FastifyRequest): boolean {
  if (config?.healthCheck || headers.upgrade !== undefined) return false;
  return !(config?.stream && method === "GET");
}

/** The path that a client means: with `/v1` twice, or Cohere's own version of its API. */
function pathMeant(url: string): string {
  if (url.startsWith("/v1/v1/")) return url.slice("/v1".length);
  if (!url.startsWith("/v2/") && !url.startsWith("/v1/v2/")) return url;
  return url.replace(/^(?:\/v1)?\/v2\/rerank(?=\?|$)/, "/v1/rerank");
}
