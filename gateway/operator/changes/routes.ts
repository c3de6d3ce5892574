import { Type } from "typebox";
import { PageQuery } from "#contract/list.ts";
import { ConfigurationChange, ConfigurationChangeList } from "#contract/operator-changes.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { listChanges } from "./list.ts";
import { undoChange } from "./undo.ts";

const config = { operator: true, extension: true } as const;

/** What operators have changed, and how to take it back. */
export function operatorChangeRoutes(app: App, context: Context): void {
  app.get(
    "/operator/changes",
    { config, schema: { querystring: PageQuery, response: { 200: ConfigurationChangeList } } },
    (request) => listChanges(context.database.queries, request.query),
  );
  app.post(
    "/operator/changes/:id/undo",
    {
      config,
      schema: { params: Type.Object({ id: Type.String() }), response: { 200: ConfigurationChange } },
    },
    (request) => undoChange(context, callerOf(request, actorOf(request)), request.params.id),
  );
}
