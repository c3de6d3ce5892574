import { searchRoutes } from "#contract/routes/search.ts";
import type { Context } from "#gateway/context.ts";
import { drizzle } from "#gateway/platform/database/drizzle.ts";
import * as schema from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { search } from "./search.ts";

/** All searches together have these: however many people type, everything else keeps its connections. */
const connections = 2;
/** The database ends a statement that takes longer. */
const statementTimeoutMs = 500;

export function installSearch(app: App, context: Context): void {
  const pool = context.database.openSteadyPool(connections, { statementTimeoutMs });
  app.addHook("onClose", () => pool.end());
  const queries = drizzle(pool, { schema });
  const ofSearch = { ...context, database: { ...context.database, queries } };
  serve(app, context, searchRoutes, {
    "GET /search": (request, reply) => {
      reply.header("cache-control", "no-store");
      return search(ofSearch, actorOf(request), request.query);
    },
  });
}
