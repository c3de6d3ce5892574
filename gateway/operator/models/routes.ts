import { Type } from "typebox";
import { NoQuery } from "#contract/list.ts";
import {
  OperatorModel,
  OperatorModelCreate,
  OperatorModelDeleted,
  OperatorModelList,
  OperatorModelProposal,
  OperatorModelQuery,
  OperatorModelRevisionList,
  OperatorModelUpdate,
} from "#contract/operator-models.ts";
import { callerOf } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { createModel, proposeModel } from "./create.ts";
import { deleteModel } from "./delete.ts";
import { findModel, listModels } from "./list.ts";
import { listRevisions, restoreRevision } from "./revisions.ts";
import { updateModel } from "./update.ts";

const config = { operator: true, extension: true } as const;
const name = { namespace: Type.String(), name: Type.String() };
const Params = Type.Object(name);
const RevisionParams = Type.Object({ ...name, revision: Type.Integer({ minimum: 1 }) });
const one = "/operator/models/:namespace/:name";

/** The entries of the catalog as operators see and change them. */
export function operatorModelRoutes(app: App, context: Context): void {
  const idOf = ({ namespace, name: last }: { namespace: string; name: string }) => `${namespace}/${last}`;

  app.get(
    "/operator/models",
    { config, schema: { querystring: OperatorModelQuery, response: { 200: OperatorModelList } } },
    (request) => listModels(context, request.query),
  );
  app.post(
    "/operator/models",
    {
      config,
      schema: { body: OperatorModelCreate, response: { 200: OperatorModelProposal, 201: OperatorModel } },
    },
    async (request, reply) => {
      if (request.body.dry_run) return proposeModel(context, request.body);
      const model = await createModel(context, callerOf(request, actorOf(request)), request.body);
      return reply.code(201).header("location", `/v1/operator/models/${model.id}`).send(model);
    },
  );
  app.get(
    one,
    { config, schema: { params: Params, querystring: NoQuery, response: { 200: OperatorModel } } },
    (request) => findModel(context, idOf(request.params)),
  );
  app.patch(
    one,
    { config, schema: { params: Params, body: OperatorModelUpdate, response: { 200: OperatorModel } } },
    (request) =>
      updateModel(context, callerOf(request, actorOf(request)), idOf(request.params), request.body),
  );
  app.delete(
    one,
    {
      config,
      schema: { params: Params, response: { 200: OperatorModelDeleted, 202: OperatorModelDeleted } },
    },
    async (request, reply) => {
      const gone = await deleteModel(context, callerOf(request, actorOf(request)), idOf(request.params));
      return reply.code(gone.deleted ? 200 : 202).send(gone);
    },
  );
  app.get(
    `${one}/revisions`,
    {
      config,
      schema: { params: Params, querystring: NoQuery, response: { 200: OperatorModelRevisionList } },
    },
    (request) => listRevisions(context, idOf(request.params)),
  );
  app.post(
    `${one}/revisions/:revision/restore`,
    { config, schema: { params: RevisionParams, response: { 200: OperatorModel } } },
    (request) =>
      restoreRevision(
        context,
        callerOf(request, actorOf(request)),
        idOf(request.params),
        request.params.revision,
      ),
  );
}
