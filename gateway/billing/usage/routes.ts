import { usageRoutes } from "#contract/routes/usage.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { usageFile } from "./export-usage.ts";
import { getRequest } from "./get-request.ts";
import { listMetadataUsage } from "./list-metadata-usage.ts";
import { listRequests } from "./list-requests.ts";
import { listUsage, sumsWanted } from "./list-usage.ts";
import { runCost } from "./run-cost.ts";
import { sendUsageFile } from "./send-usage-file.ts";

/** Metered quantities and the request log: extensions. */
export function installUsage(app: App, context: Context): void {
  serve(
    app,
    context,
    usageRoutes,
    {
      "GET /usage": (request) => listUsage(context, actorOf(request), request.query),
      "GET /usage/export": async (request, reply) => {
        const actor = actorOf(request);
        const { format = "csv", ...query } = request.query;
        const wanted = await sumsWanted(context, actor, query);
        const file = usageFile(context, { ...wanted, format, ofOperator: false });
        return sendUsageFile(context, reply, { actor, permission: "usage:own", format, file });
      },
      "GET /usage/metadata": (request) =>
        listMetadataUsage(context, actorOf(request).accountId, request.query),
      "GET /runs/{id}/cost": (request) => runCost(context, actorOf(request).accountId, request.params.id),
      "GET /requests": (request) => listRequests(context, actorOf(request).accountId, request.query),
      "GET /requests/{id}": (request) => getRequest(context, actorOf(request).accountId, request.params.id),
    },
    // A HEAD request would read all of the file.
    { "GET /usage/export": { exposeHeadRoute: false } },
  );
}
