import { searchRoutes } from "#contract/routes/search.ts";
import type { Context } from "#gateway/context.ts";
import { drizzle } from "#gateway/platform/database/drizzle.ts";
import * as schema from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { search } from "./search.ts";

/**
 * The database connections for all searches together. People who type in the search field must not occupy the
 * others.
 */
const connections = 2;
/** The database cancels slower statements. */
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
