import { changeRoutes } from "#contract/routes/operator.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { listChanges } from "./list.ts";
import { undoChange } from "./undo.ts";

/** What operators have changed, and how to take it back. */
export function installOperatorChanges(app: App, context: Context): void {
  serve(app, context, changeRoutes, {
    "GET /operator/changes": (request) => listChanges(context.database.queries, request.query),
    "POST /operator/changes/{id}/undo": (request) => undoChange(context, request.caller, request.params.id),
  });
}
