import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { newId } from "#contract/ids.ts";
import { installAccounts } from "#gateway/access/accounts/accounts.ts";
import { installAuthorization, installConnections } from "#gateway/access/authorization/authorization.ts";
import { installUsage } from "#gateway/billing/usage/usage.ts";
import { installNotices } from "#gateway/events/notices/notices.ts";
import { installPreviews } from "#gateway/files/previews/previews.ts";
import { installFiles } from "#gateway/files/storage/storage.ts";
import { installUploads } from "#gateway/files/uploads/uploads.ts";
import { installAliases } from "#gateway/models/aliases/aliases.ts";
import { installCatalog } from "#gateway/models/catalog/routes.ts";
import { installOperatorAccounts } from "#gateway/models/configuration/accounts/accounts.ts";
import { installOperatorChanges } from "#gateway/models/configuration/changes/changes.ts";
import { installOperatorFile } from "#gateway/models/configuration/file/file.ts";
import { installOperatorFirstSteps } from "#gateway/models/configuration/first-steps/first-steps.ts";
import { installOperatorHealth } from "#gateway/models/configuration/health/health.ts";
import { installOperatorModels } from "#gateway/models/configuration/models/models.ts";
import { installOperatorPrices } from "#gateway/models/configuration/prices/prices.ts";
import { installOperatorProviders } from "#gateway/models/configuration/providers/providers.ts";
import { installOperatorRoutes } from "#gateway/models/configuration/routes/routes.ts";
import { installOperatorUsage } from "#gateway/models/configuration/usage/usage.ts";
import { installStatus } from "#gateway/monitoring/status/status.ts";
import {
  installClientAddress,
  installCrossOrigin,
  installExtensionSwitch,
  installOriginCheck,
} from "#gateway/platform/http/cross-origin.ts";
import { installErrors } from "#gateway/platform/http/errors.ts";
import { installOpenApi } from "#gateway/platform/http/openapi.ts";
import { installBatches } from "#gateway/runs/batches/batches.ts";
import { installOpenAiFiles } from "#gateway/runs/batches/openai-files.ts";
import { installMessages } from "#gateway/runs/messages/messages.ts";
import { installPredictions } from "#gateway/runs/predictions/predictions.ts";
import { installProvenance } from "#gateway/runs/provenance/provenance.ts";
import { installPublicReceiptKeys } from "#gateway/runs/provenance/receipts/receipts.ts";
import { installConversations } from "#gateway/workspace/conversations/conversations.ts";
import { installCopies } from "#gateway/workspace/copies/copies.ts";
import { installLibrary } from "#gateway/workspace/library/library.ts";
import { installPresets } from "#gateway/workspace/presets/presets.ts";
import { installReports } from "#gateway/workspace/reports/reports.ts";
import { installShares } from "#gateway/workspace/shares/shares.ts";
import type { Context } from "./context.ts";
import { installMcp } from "./edges/mcp/routes.ts";
import { installSearch } from "./edges/search/search.ts";
import { installWebhooks } from "./events/webhooks/routes.ts";
import { cutSlowRequests } from "./platform/core/slow-requests.ts";
import type { App } from "./platform/http/app.ts";
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
import { installOperations } from "./runs/execution/routes.ts";
import { installResponses } from "./runs/responses/routes.ts";
import { sweeps } from "./sweeps.ts";

const defaultBodyBytes = 1_000_000;

interface Resource {
  install?: (app: App, context: Context) => void;
}

/**
 * Resources of a single file, such as `workspace/notes.ts`, are beside the rooms of their district and are found
 * there. Each exports `install`. The sandbox has no routes.
 */
const resources = await Promise.all(
  globSync("*/*.ts", { cwd: import.meta.dirname })
    .filter((file) => !/^(sandbox|testing)\/|\.test\.ts$/.test(file))
    .sort()
    .map(async (file) => {
      const { install }: Resource = await import(pathToFileURL(path.join(import.meta.dirname, file)).href);
      if (!install)
        throw new Error(`gateway/${file} exports no install: add it, or move the file into a room.`);
      return install;
    }),
);

/**
 * Builds the HTTP service: first the steps common to all requests, then the routes of each domain under
 * `/v1`. `prepare` may add hooks before all others.
 */
export async function buildServer(context: Context, prepare = (_app: App): void => {}): Promise<App> {
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
  prepare(app);
  installInner(app);
  installTracing(app, context);
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    if (context.config.quiet) reply.header(quietHeader, "on");
    if (context.drain.isBegun) reply.header("connection", "close");
    done();
  });
  whenAnswered(app, ({ request, status, ms }) => {
    if (request.actor && isLimitRefusal(request.errorCode)) return; // The request log sums refusals up.
    const { method, routeOptions } = request;
    const level = routeOptions.config?.healthCheck && status < 300 ? "debug" : "info";
    request.log[level]({ method, route: routeOptions.url, status, ms: Math.round(ms) }, "request");
  });
  // Added before the routes, because it collects them for the OpenAPI document.
  installOpenApi(app, context);
  // Added before anything that may refuse a request, so that every answer is counted.
  await installMetrics(app, context, sweeps);
  installUnusedConnections(app);
  installUnreadBodies(app);
  installErrors(app, context);
  installBeforeRouting(app);
  installValidation(app);
  installExtensionSwitch(app, context);
  installClientAddress(app, context);
  installCrossOrigin(app, context);
  installAuthentication(app, context);
  installOriginCheck(app);
  installRequestLog(app, context);
  installLimits(app, context);
  await app.register(
    async (scope) => {
      const v1 = scope as App;
      installCatalog(v1, context);
      installAliases(v1, context);
      installOperations(v1, context);
      installResponses(v1, context);
      installMessages(v1, context);
      installPredictions(v1, context);
      installBatches(v1, context);
      installOpenAiFiles(v1, context);
      installFiles(v1, context);
      installPreviews(v1, context);
      installUploads(v1, context);
      installProvenance(v1, context);
      installLibrary(v1, context);
      installShares(v1, context);
      installReports(v1, context);
      installCopies(v1, context);
      installPresets(v1, context);
      installConversations(v1, context);
      installWebhooks(v1, context);
      installAccounts(v1, context);
      installConnections(v1, context);
      installUsage(v1, context);
      installSearch(v1, context);
      installStatus(v1, context);
      installNotices(v1, context);
      installOperatorRoutes(v1, context);
      installOperatorFirstSteps(v1, context);
      installOperatorHealth(v1, context);
      installOperatorAccounts(v1, context);
      installOperatorFile(v1, context);
      installOperatorModels(v1, context);
      installOperatorProviders(v1, context);
      installOperatorPrices(v1, context);
      installOperatorUsage(v1, context);
      installOperatorChanges(v1, context);
      for (const install of resources) install(v1, context);
    },
    { prefix: "/v1" },
  );
  await installAuthorization(app, context);
  installPublicReceiptKeys(app, context);
  installMcp(app, context);
  healthRoutes(app, context);
  return app;
}

/** The path that a client means: with `/v1` twice, or Cohere's own version of its API. */
function pathMeant(url: string): string {
  if (url.startsWith("/v1/v1/")) return url.slice("/v1".length);
  if (!url.startsWith("/v2/") && !url.startsWith("/v1/v2/")) return url;
  return url.replace(/^(?:\/v1)?\/v2\/rerank(?=\?|$)/, "/v1/rerank");
}
