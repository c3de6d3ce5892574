import { operatorRouteRoutes } from "#contract/routes/operator.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { withProviderName } from "../providers/names.ts";
import { mapAll } from "./map-all.ts";
import { previewRoute } from "./preview.ts";
import { replaceRoutes } from "./replace.ts";
import { routeTable } from "./table.ts";

/** Which provider runs what. */
export function installOperatorRoutes(app: App, context: Context): void {
  serve(app, context, operatorRouteRoutes, {
    "GET /operator/routes": () => routeTable(context),
    "PUT /operator/routes": (request) => {
      const routes = request.body.routes.map((route) => withProviderName(context, route));
      return replaceRoutes(context, request.caller, { ...request.body, routes });
    },
    "POST /operator/routes/map": (request) =>
      mapAll(context, request.caller, withProviderName(context, request.body)),
    "POST /operator/routes/preview": (request) =>
      previewRoute(context, { ...request.body, route: withProviderName(context, request.body.route) }),
  });
}
