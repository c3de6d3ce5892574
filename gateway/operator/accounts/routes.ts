import { OperatorAccountList, OperatorAccountQuery } from "#contract/operator-accounts.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { listAccounts } from "./list.ts";

/** The accounts of the installation by name and id, to say which may use a model. */
export function operatorAccountRoutes(app: App, context: Context): void {
  app.get(
    "/operator/accounts",
    {
      config: { operator: true, extension: true },
      schema: { querystring: OperatorAccountQuery, response: { 200: OperatorAccountList } },
    },
    (request) => listAccounts(context.database.queries, request.query),
  );
}
