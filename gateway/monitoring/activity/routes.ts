import { activityRoutes, operatorActivityRoutes } from "#contract/routes/activity.ts";
import type { Context } from "#gateway/context.ts";
import { everyAccount } from "#gateway/platform/figures/read.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { assertPermitted } from "#gateway/platform/http/not-permitted.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { readActivity } from "./read-activity.ts";

/** Figures over time: an extension. */
export function installActivity(app: App, context: Context): void {
  serve(app, activityRoutes, {
    "GET /activity": async (request) => {
      const actor = actorOf(request);
      if (request.query.of === "deliveries")
        await assertPermitted(context.database.queries, actor, "deliveries:read");
      return readActivity(context, actor.accountId, request.query);
    },
  });
  serve(app, operatorActivityRoutes, {
    "GET /operator/activity": (request) => readActivity(context, everyAccount, request.query),
  });
}
