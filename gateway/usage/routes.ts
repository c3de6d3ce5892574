import { RequestList, RequestQuery, UsageList, UsageQuery } from "#contract/usage.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { listRequests } from "./list-requests.ts";
import { listUsage } from "./list-usage.ts";

/** Metered quantities and the request log: extensions. */
export function usageRoutes(app: App, context: Context): void {
  app.get(
    "/usage",
    {
      config: { permission: "usage:own", extension: true },
      schema: {
        querystring: UsageQuery,
        response: { 200: UsageList },
      },
    },
    (request) => listUsage(context, actorOf(request), request.query),
  );

  app.get(
    "/requests",
    {
      config: { permission: "requests:read", extension: true },
      schema: {
        querystring: RequestQuery,
        response: { 200: RequestList },
      },
    },
    (request) => listRequests(context, actorOf(request).accountId, request.query),
  );
}
