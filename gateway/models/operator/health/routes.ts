import { operatorHealthRoutes } from "#contract/routes/operator.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { healthReport } from "./report.ts";

/** How the upstreams do. */
export function installOperatorHealth(app: App, context: Context): void {
  serve(app, context, operatorHealthRoutes, {
    "GET /operator/health": (request) => healthReport(context, request.query),
  });
}
