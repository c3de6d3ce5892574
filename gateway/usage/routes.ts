import { usageRoutes } from "#contract/routes/usage.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { serve } from "#gateway/http/serve.ts";
import { listMetadataUsage } from "./list-metadata-usage.ts";
import { listRequests } from "./list-requests.ts";
import { listUsage } from "./list-usage.ts";
import { runCost } from "./run-cost.ts";

/** Metered quantities and the request log: extensions. */
export function installUsage(app: App, context: Context): void {
  serve(app, usageRoutes, {
    "GET /usage": (request) => listUsage(context, actorOf(request), request.query),
    "GET /usage/metadata": (request) => listMetadataUsage(context, actorOf(request).accountId, request.query),
    "GET /runs/{id}/cost": (request) => runCost(context, actorOf(request).accountId, request.params.id),
    "GET /requests": (request) => listRequests(context, actorOf(request).accountId, request.query),
  });
}
