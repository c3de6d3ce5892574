import type { OperatorModel, OperatorModelUpdate } from "#contract/operator/models.ts";
import type { Context } from "#gateway/context.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { changeConfiguration } from "../change.ts";
import { changeEntry } from "./change-entry.ts";
import { checkEntry } from "./check-entry.ts";
import { assertAccountsExist } from "./create.ts";
import { findModel } from "./list.ts";
import { released } from "./released.ts";
import { type Settings, saveContent, saveSettings, stateOf } from "./states.ts";
import { findOwnModel, noSuchModel } from "./stored-models.ts";

const settingNames = ["display_name", "hidden", "accounts"];

/**
 * Changes an entry: what belongs to its content makes a new revision, and a higher `schema_version` where the input's
 * shape changes. Entries of the specification take settings only. Throws `model_not_found`, `invalid_parameter` and
 * `invalid_schema`.
 */
export async function updateModel(
  context: Context,
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
    throw new ApiError(
      "invalid_parameter",
      `${id} is the specification's: only ${settingNames.join(", ")} can be changed. Copy it as a template to change more.`,
      { param: fixed },
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
    throw new ApiError(
      "invalid_parameter",
      "The prompt's field is chosen at the import. Import the model again.",
      {
        param: "fields.prompt",
      },
    );
  const { entry, source } = own.content;
  const changed = released(changeEntry(entry, changes), entry);
  if (changed === entry) return;
  checkEntry(changed);
  await saveContent(queries, { entry: changed, source, madeBy: caller.actor.name });
}
