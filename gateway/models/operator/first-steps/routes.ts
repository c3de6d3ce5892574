import { operatorFirstStepsRoutes } from "#contract/routes/operator.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { readFirstSteps } from "./read.ts";

/** What a new installation still needs. */
export function installOperatorFirstSteps(app: App, context: Context): void {
  serve(app, context, operatorFirstStepsRoutes, {
    "GET /operator/first_steps": () => readFirstSteps(context),
  });
}
