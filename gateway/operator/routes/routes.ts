import { NoQuery } from "#contract/list.ts";
import {
  RouteMapAll,
  RouteMapAllResult,
  RoutePreview,
  RoutePreviewRequest,
  RouteTable,
  RouteTableUpdate,
} from "#contract/operator-routes.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { withProviderName } from "../providers/provider-name.ts";
import { mapAll } from "./map-all.ts";
import { previewRoute } from "./preview.ts";
import { replaceRoutes } from "./replace.ts";
import { routeTable } from "./table.ts";

const config = { operator: true, extension: true } as const;

/** Which provider runs what. */
export function operatorRouteRoutes(app: App, context: Context): void {
  app.get(
    "/operator/routes",
    { config, schema: { querystring: NoQuery, response: { 200: RouteTable } } },
    () => routeTable(context),
  );
  app.put(
    "/operator/routes",
    { config, schema: { body: RouteTableUpdate, response: { 200: RouteTable } } },
    (request) => {
      const routes = request.body.routes.map((route) => withProviderName(context, route));
      return replaceRoutes(context, callerOf(request, actorOf(request)), { ...request.body, routes });
    },
  );
  app.post(
    "/operator/routes/map",
    { config, schema: { body: RouteMapAll, response: { 200: RouteMapAllResult } } },
    (request) =>
      mapAll(context, callerOf(request, actorOf(request)), withProviderName(context, request.body)),
  );
  app.post(
    "/operator/routes/preview",
    { config, schema: { body: RoutePreviewRequest, response: { 200: RoutePreview } } },
    (request) =>
      previewRoute(context, { ...request.body, route: withProviderName(context, request.body.route) }),
  );
}
