import multipart from "@fastify/multipart";
import { operatorSigningRoutes } from "#contract/routes/operator.ts";
import { outputRoutes } from "#contract/routes/outputs.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { checkFile } from "./check.ts";
import { signingStatus } from "./signing/status.ts";

export function installProvenance(app: App, context: Context): void {
  serve(app, operatorSigningRoutes, { "GET /operator/signing": () => signingStatus(context) });
  app.register(async (scope) => {
    await scope.register(multipart);
    serve(scope as App, outputRoutes, {
      "POST /outputs/verify": (request) => checkFile(context, actorOf(request), request),
    });
  });
}
