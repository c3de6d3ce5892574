import { operatorAccountRoutes } from "#contract/routes/operator.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { serve } from "#gateway/http/serve.ts";
import { listAccounts } from "./list.ts";

/** The accounts of the installation by name and id, to say which may use a model. */
export function installOperatorAccounts(app: App, context: Context): void {
  serve(app, operatorAccountRoutes, {
    "GET /operator/accounts": (request) => listAccounts(context.database.queries, request.query),
  });
}
