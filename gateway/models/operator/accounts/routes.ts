import { operatorCreditRoutes } from "#contract/routes/budgets.ts";
import { operatorAccountRoutes } from "#contract/routes/operator.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";

import { serve } from "#gateway/platform/http/serve.ts";
import { addCredit, endPrepayment, listAccountCredits } from "./credits.ts";
import { listAccounts } from "./list.ts";

/** The accounts of the installation by name and id, and the credit of prepaid ones. */
export function installOperatorAccounts(app: App, context: Context): void {
  serve(app, context, operatorAccountRoutes, {
    "GET /operator/accounts": (request) => listAccounts(context.database.queries, request.query),
  });
  serve(app, context, operatorCreditRoutes, {
    "GET /operator/accounts/{id}/credits": (request) =>
      listAccountCredits(context, request.params.id, request.query),
    "POST /operator/accounts/{id}/credits": ({ caller, params, body }) =>
      addCredit(context, caller, params.id, body),
    "DELETE /operator/accounts/{id}/credits": (request) =>
      endPrepayment(context, request.caller, request.params.id),
  });
}
