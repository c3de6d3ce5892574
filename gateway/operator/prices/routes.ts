import { operatorPriceRoutes } from "#contract/routes/operator-prices.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { serve } from "#gateway/http/serve.ts";
import { operatorRunCost } from "#gateway/usage/run-cost.ts";
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
