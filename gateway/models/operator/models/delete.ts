import type { OperatorModelDeleted } from "#contract/operator/models.ts";
import type { Context } from "#gateway/context.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { changeConfiguration } from "../change.ts";
import { runningOf } from "./running.ts";
import { saveOffered, stateOf } from "./states.ts";
import { findOwnModel, noSuchModel } from "./stored-models.ts";

/**
 * Takes an entry out of the catalog. It takes nothing new from then on; what runs is finished first. Throws
 * `model_not_found`, and `invalid_parameter` for entries of the specification or of the providers file.
 */
export async function deleteModel(
  context: Context,
  caller: Caller,
  id: string,
): Promise<OperatorModelDeleted> {
  const { queries } = context.database;
  if (ownEntries.load().some((entry) => entry.id === id))
    throw new ApiError("invalid_parameter", `${id} is the specification's: it can be hidden, not deleted.`, {
      param: "id",
    });
  if (context.configuration.current.file?.mappings.some(({ modelId }) => modelId === id))
    throw new ApiError("invalid_parameter", `The providers file maps ${id}. Remove it there first.`, {
      param: "id",
    });
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
