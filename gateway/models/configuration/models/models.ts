import {
  type OperatorModel,
  type OperatorModelDeleted,
  type OperatorModelUpdate,
  operatorModelRoutes,
} from "#contract/operator/models.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { clientLeft } from "#gateway/platform/http/when-closed.ts";
import { changeConfiguration } from "../change.ts";
import { changeEntry, checkEntry } from "./change-entry.ts";
import { assertAccountsExist, createModel, proposeModel } from "./create.ts";
import { findModel, listModels } from "./model-view.ts";
import { listRevisions, restoreRevision } from "./revisions.ts";
import { released, type Settings, saveContent, saveOffered, saveSettings, stateOf } from "./states.ts";
import { findOwnModel, noSuchModel, runningOf } from "./stored-models.ts";

/** The catalog entries as operators see and change them. */
export function installOperatorModels(app: App, context: ModelsContext): void {
  const idOf = ({ namespace, name: last }: { namespace: string; name: string }) => `${namespace}/${last}`;
  serve(app, context, operatorModelRoutes, {
    "GET /operator/models": (request) => listModels(context, request.query),
    "POST /operator/models": async (request, reply) => {
      const left = clientLeft(reply.raw);
      if (request.body.dry_run) return proposeModel(context, request.body, left);
      reply.code(201);
      return createModel(context, request.caller, request.body, left);
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

const settingNames = ["display_name", "hidden", "accounts"];

/**
 * Changes an entry. A change of content makes a new revision, with a higher `schema_version` if the input's
 * shape changes. For entries of the specification only settings can be changed. Throws `model_not_found`,
 * `invalid_parameter` and `invalid_schema`.
 */
async function updateModel(
  context: ModelsContext,
  caller: Caller,
  id: string,
  changes: OperatorModelUpdate,
): Promise<OperatorModel> {
  const { display_name, hidden, accounts, ...content } = changes;
  const settings: Settings = { display_name, hidden, accounts };
  await assertAccountsExist(context.database.queries, accounts);
  const published = ownEntries.load().some((entry) => entry.id === id);
  const [fixed] = Object.keys(content);
  if (published && fixed !== undefined)
    throw invalidParameter(
      fixed,
      `${id} is a built-in model: only ${settingNames.join(", ")} can be changed. Copy it as a template to change more.`,
    );
  return changeConfiguration(context, caller, async (queries) => {
    const before = published ? await stateOf(queries, id) : await ownState(queries, id);
    if (fixed !== undefined) await saveChanged(queries, caller, id, content);
    await saveSettings(queries, id, settings);
    const after = await stateOf(queries, id);
    return {
      action: "model.updated",
      targetId: id,
      before,
      after: { ...after, changed: Object.keys(changes) },
      result: await findModel(queries, id),
    };
  });
}

async function ownState(queries: Queries, id: string) {
  const state = await stateOf(queries, id);
  if (!state || state.revision === null) throw noSuchModel(id);
  return state;
}

async function saveChanged(
  queries: Queries,
  caller: Caller,
  id: string,
  changes: OperatorModelUpdate,
): Promise<void> {
  const own = await findOwnModel(queries, id);
  if (!own) throw noSuchModel(id);
  if (changes.fields?.prompt !== undefined)
    throw invalidParameter(
      "fields.prompt",
      "The prompt field can be chosen only during an import. Import the model again.",
    );
  const { entry, source } = own.content;
  const changed = released(changeEntry(entry, changes), entry);
  if (changed === entry) return;
  checkEntry(changed);
  await saveContent(queries, { entry: changed, source, madeBy: caller.actor.name });
}

/**
 * Removes an entry from the catalog. It accepts nothing new from then on; running predictions finish. Throws
 * `model_not_found`, and `invalid_parameter` for entries of the specification or of the providers file.
 */
async function deleteModel(
  context: ModelsContext,
  caller: Caller,
  id: string,
): Promise<OperatorModelDeleted> {
  const { queries } = context.database;
  if (ownEntries.load().some((entry) => entry.id === id))
    throw invalidParameter("id", `${id} is a built-in model: hide it instead of deleting it.`);
  if (context.configuration.current.file?.mappings.some(({ modelId }) => modelId === id))
    throw invalidParameter("id", `The providers file maps ${id}. Remove it there first.`);
  const own = await findOwnModel(queries, id);
  if (!own) throw noSuchModel(id);
  if (own.row.leftAt) {
    const left = await runningOf(queries, id);
    if (left === 0) throw noSuchModel(id);
    return deletedView(id, left);
  }
  return changeConfiguration(context, caller, async (tx) => {
    const before = await stateOf(tx, id);
    if (!before) throw noSuchModel(id);
    await saveOffered(tx, id, false);
    const result = deletedView(id, await runningOf(tx, id));
    return { action: "model.deleted", targetId: id, before, after: null, result };
  });
}

function deletedView(id: string, running: number): OperatorModelDeleted {
  return { id, object: "operator.model", deleted: running === 0, running_predictions: running };
}
