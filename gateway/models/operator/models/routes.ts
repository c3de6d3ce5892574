import { operatorModelRoutes } from "#contract/routes/operator-models.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { createModel, proposeModel } from "./create.ts";
import { deleteModel } from "./delete.ts";
import { findModel, listModels } from "./list.ts";
import { listRevisions, restoreRevision } from "./revisions.ts";
import { updateModel } from "./update.ts";

/** The entries of the catalog as operators see and change them. */
export function installOperatorModels(app: App, context: Context): void {
  const idOf = ({ namespace, name: last }: { namespace: string; name: string }) => `${namespace}/${last}`;
  serve(app, context, operatorModelRoutes, {
    "GET /operator/models": (request) => listModels(context, request.query),
    "POST /operator/models": async (request, reply) => {
      if (request.body.dry_run) return proposeModel(context, request.body);
      const model = await createModel(context, request.caller, request.body);
      return reply.code(201).header("location", `/v1/operator/models/${model.id}`).send(model);
    },
    "GET /operator/models/{namespace}/{name}": (request) =>
      findModel(context.database.queries, idOf(request.params)),
    "PATCH /operator/models/{namespace}/{name}": (request) =>
      updateModel(context, request.caller, idOf(request.params), request.body),
    "DELETE /operator/models/{namespace}/{name}": async (request, reply) => {
      const gone = await deleteModel(context, request.caller, idOf(request.params));
      return reply.code(gone.deleted ? 200 : 202).send(gone);
    },
    "GET /operator/models/{namespace}/{name}/revisions": (request) =>
      listRevisions(context, idOf(request.params)),
    "POST /operator/models/{namespace}/{name}/revisions/{revision}/restore": (request) =>
      restoreRevision(context, request.caller, idOf(request.params), request.params.revision),
  });
}
