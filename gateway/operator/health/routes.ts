import { HealthQuery, HealthReport } from "#contract/operator-health.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { healthReport } from "./report.ts";

/** How the upstreams do. */
export function operatorHealthRoutes(app: App, context: Context): void {
  app.get(
    "/operator/health",
    {
      config: { operator: true, extension: true },
      schema: { querystring: HealthQuery, response: { 200: HealthReport } },
    },
    (request) => healthReport(context, request.query),
  );
}
