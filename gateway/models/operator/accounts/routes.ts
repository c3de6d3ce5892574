import { operatorCreditRoutes } from "#contract/routes/budgets.ts";
import { operatorAccountRoutes } from "#contract/routes/operator.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendOnce } from "#gateway/platform/http/idempotency.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { addCredit, endPrepayment, listAccountCredits } from "./credits.ts";
import { listAccounts } from "./list.ts";

/** The accounts of the installation by name and id, and the credit of prepaid ones. */
export function installOperatorAccounts(app: App, context: Context): void {
  serve(app, operatorAccountRoutes, {
    "GET /operator/accounts": (request) => listAccounts(context.database.queries, request.query),
  });
  serve(app, operatorCreditRoutes, {
    "GET /operator/accounts/{id}/credits": (request) =>
      listAccountCredits(context, request.params.id, request.query),
    "POST /operator/accounts/{id}/credits": (request, reply) => {
      const caller = callerOf(request, actorOf(request));
      const produce = async () => ({
        status: 201,
        headers: {},
        body: await addCredit(context, caller, request.params.id, request.body),
      });
      return sendOnce(context, request, reply, caller.actor, produce);
    },
    "DELETE /operator/accounts/{id}/credits": (request) =>
      endPrepayment(context, callerOf(request, actorOf(request)), request.params.id),
  });
}
