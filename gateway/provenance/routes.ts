import multipart from "@fastify/multipart";
import { outputRoutes } from "#contract/routes/outputs.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { serve } from "#gateway/http/serve.ts";
import { checkFile } from "./check.ts";

export function installFileChecks(app: App, context: Context): void {
  app.register(async (scope) => {
    await scope.register(multipart);
    serve(scope as App, outputRoutes, {
      "POST /outputs/verify": (request) => checkFile(context, actorOf(request), request),
    });
  });
}
