import type { FastifyRequest } from "fastify";
import { priceLimits } from "#contract/money/constants.ts";
import { PriceCreate, type RefusedPrice } from "#contract/operator/prices.ts";
import { operatorPriceRoutes } from "#contract/routes/operator-prices.ts";
import { operatorRunCost } from "#gateway/billing/usage/run-cost.ts";
import type { Context } from "#gateway/context.ts";
import { lettingOthersRun } from "#gateway/platform/core/event-loop.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { compileBody, validationError } from "#gateway/platform/http/validation.ts";
import { createPrice, importPrices } from "./create.ts";
import { listPrices } from "./list.ts";
import { createMarkup, listMarkups } from "./markups.ts";

/** What models cost, and what accounts pay for them. */
export function installOperatorPrices(app: App, context: Context): void {
  serve(
    app,
    context,
    operatorPriceRoutes,
    {
      "GET /operator/prices": (request) => listPrices(context, request.query),
      "POST /operator/prices": (request) => createPrice(context, request.caller, request.body),
      "POST /operator/prices/import": (request) =>
        importPrices(context, request.caller, request.body, refusedRows.get(request) ?? []),
      "GET /operator/markups": (request) => listMarkups(context.database.queries, request.query.account_id),
      "POST /operator/markups": (request) => createMarkup(context, request.caller, request.body),
      "GET /operator/runs/{id}/cost": (request) => operatorRunCost(context, request.params.id),
    },
    { "POST /operator/prices/import": { preValidation: leaveOutInvalid } },
  );
}

const isPrice = compileBody(PriceCreate);
/** A refused row is named by this many characters of its model. */
const maxNameLength = 200;
/** What the schema refused of an import that skips invalid rows. */
const refusedRows = new WeakMap<FastifyRequest, RefusedPrice[]>();

/** One row that the schema refuses would refuse the body: with `skip_invalid` such rows are left out before it is checked. */
async function leaveOutInvalid(request: FastifyRequest): Promise<void> {
  const body = request.body as { prices?: unknown; skip_invalid?: unknown };
  const { prices, skip_invalid: skips } = body;
  if (skips !== true || !Array.isArray(prices) || prices.length > priceLimits.atOnce) return;
  const valid: unknown[] = [];
  const refused: RefusedPrice[] = [];
  const pause = lettingOthersRun();
  for (const [row, price] of prices.entries()) {
    await pause();
    if (isPrice(price)) {
      valid.push(price);
      continue;
    }
    const { model } = Object(price) as { model?: unknown };
    const name = typeof model === "string" ? model.slice(0, maxNameLength) : null;
    refused.push({ row, model: name, message: validationError(isPrice.errors ?? [], "row").message });
  }
  body.prices = valid;
  refusedRows.set(request, refused);
}
