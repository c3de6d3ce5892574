import { incidentRoutes, statusRoutes } from "#contract/routes/status.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { correctIncident, createIncident, deleteIncident, updateIncident } from "./incidents/change.ts";
import { listIncidents } from "./incidents/list.ts";
import { StatusBoard } from "./status-board.ts";

const publicMaxAgeSeconds = 15;

/** How models and regions do, and the incidents that operators write. */
export function installStatus(app: App, context: Context): void {
  const board = new StatusBoard(context);
  serve(app, statusRoutes, {
    "GET /status": (request) => board.read(actorOf(request).accountId),
    "GET /public/status": (request, reply) => {
      if (!context.config.publicStatus)
        throw new ApiError("route_not_found", `There is no GET ${request.url.split("?")[0]}.`);
      reply.header("cache-control", `public, max-age=${publicMaxAgeSeconds}`);
      return board.read(null);
    },
  });
  serve(app, incidentRoutes, {
    "GET /operator/incidents": (request) => listIncidents(context, request.query),
    "POST /operator/incidents": (request) =>
      createIncident(context, callerOf(request, actorOf(request)), request.body),
    "PATCH /operator/incidents/{id}": (request) =>
      correctIncident(context, callerOf(request, actorOf(request)), request.params.id, request.body),
    "DELETE /operator/incidents/{id}": (request) =>
      deleteIncident(context, callerOf(request, actorOf(request)), request.params.id),
    "POST /operator/incidents/{id}/updates": (request) =>
      updateIncident(context, callerOf(request, actorOf(request)), request.params.id, request.body),
  });
}
