import { budgetRoutes } from "#contract/routes/budgets.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { callerOf } from "../audit.ts";
import { listCredits } from "./credits.ts";
import { readAccountBudgets } from "./read.ts";
import { updateAccountBudgets } from "./update.ts";

/** The account's money: its budgets and its credit. */
export function installAccountBudgets(app: App, context: Context): void {
  serve(app, budgetRoutes, {
    "GET /account/budgets": (request) => readAccountBudgets(context, actorOf(request)),
    "PATCH /account/budgets": (request) =>
      updateAccountBudgets(context, callerOf(request, actorOf(request)), request.body),
    "GET /account/credits": (request) => listCredits(context, actorOf(request).accountId, request.query),
  });
}
