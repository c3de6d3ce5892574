import { changeRoutes } from "#contract/routes/operator.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { listChanges } from "./list.ts";
import { undoChange } from "./undo.ts";

/** What operators have changed, and how to take it back. */
export function installOperatorChanges(app: App, context: Context): void {
  serve(app, changeRoutes, {
    "GET /operator/changes": (request) => listChanges(context.database.queries, request.query),
    "POST /operator/changes/{id}/undo": (request) =>
      undoChange(context, callerOf(request, actorOf(request)), request.params.id),
  });
}
