import { aliasRoutes } from "#contract/routes/aliases.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";

import { serve } from "#gateway/platform/http/serve.ts";
import { createAlias, deleteAlias, updateAlias } from "./change.ts";
import { aliasView } from "./view.ts";

export function installAliases(app: App, context: Context): void {
  serve(app, context, aliasRoutes, {
    "GET /aliases": async (request) => {
      const { accountId } = actorOf(request);
      const rows = await context.aliases.list(accountId);
      return { object: "list" as const, data: rows.map((row) => aliasView(context, accountId, row)) };
    },
    "POST /aliases": ({ caller, body }) => createAlias(context, caller, body),
    "PATCH /aliases/{id}": (request) => updateAlias(context, request.caller, request.params.id, request.body),
    "DELETE /aliases/{id}": (request) => deleteAlias(context, request.caller, request.params.id),
  });
}
