import { operatorPriceRoutes } from "#contract/routes/operator-prices.ts";
import { callerOf } from "#gateway/access/accounts/audit.ts";
import { operatorRunCost } from "#gateway/billing/usage/run-cost.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createPrice, importPrices } from "./create.ts";
import { listPrices } from "./list.ts";
import { createMarkup, listMarkups } from "./markups.ts";

/** What models cost, and what accounts pay for them. */
export function installOperatorPrices(app: App, context: Context): void {
  serve(app, operatorPriceRoutes, {
    "GET /operator/prices": (request) => listPrices(context, request.query),
    "POST /operator/prices": (request) =>
      createPrice(context, callerOf(request, actorOf(request)), request.body),
    "POST /operator/prices/import": async (request) => ({
      object: "list" as const,
      data: await importPrices(context, callerOf(request, actorOf(request)), request.body.prices),
    }),
    "GET /operator/markups": (request) => listMarkups(context.database.queries, request.query.account_id),
    "POST /operator/markups": (request) =>
      createMarkup(context, callerOf(request, actorOf(request)), request.body),
    "GET /operator/runs/{id}/cost": (request) => operatorRunCost(context, request.params.id),
  });
}
