import { operatorFileRoutes } from "#contract/routes/operator.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { exportFile } from "./export.ts";
import { importFile } from "./import.ts";

/** What the console made as a providers file, and the other way round. */
export function installOperatorFile(app: App, context: Context): void {
  serve(app, context, operatorFileRoutes, {
    "GET /operator/file": () => exportFile(context),
    "POST /operator/file": (request) => importFile(context, request.caller, request.body),
  });
}
