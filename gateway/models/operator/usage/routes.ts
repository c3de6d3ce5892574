import { operatorUsageRoutes } from "#contract/routes/operator-usage.ts";
import { usageFile } from "#gateway/billing/usage/export-usage.ts";
import { sendUsageFile } from "#gateway/billing/usage/send-usage-file.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { listUsageLines } from "./lines.ts";
import { listOperatorUsage, operatorSums } from "./list.ts";

/** What all accounts used and cost. */
export function installOperatorUsage(app: App, context: Context): void {
  serve(
    app,
    context,
    operatorUsageRoutes,
    {
      "GET /operator/usage": (request) => listOperatorUsage(context, request.query),
      "GET /operator/usage/export": async (request, reply) => {
        const { format = "csv", ...query } = request.query;
        await context.meter.flush();
        const wanted = await operatorSums(context.database.queries, query);
        const file = usageFile(context, { ...wanted, format, ofOperator: true });
        return sendUsageFile(context, reply, { actor: actorOf(request), format, file });
      },
      "GET /operator/usage/lines": (request) => listUsageLines(context, request.query),
    },
    // A HEAD request would read all of the file.
    { "GET /operator/usage/export": { exposeHeadRoute: false } },
  );
}
