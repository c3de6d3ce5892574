import type { Preset, PresetUpdate } from "#contract/presets.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { findOperation } from "#gateway/runs/operations/find-operation.ts";
import { checkInput, lockPresets } from "./check.ts";
import { assertNameIsFree, findPreset, type PresetRow } from "./find.ts";
import { storedInput } from "./media.ts";
import { assertUnchanged, nextVersion } from "./next-version.ts";
import { presetView } from "./view.ts";

/**
 * Renames a preset, or replaces its input, which then belongs to the schema of now. With `version` only as it was
 * then. Throws `preset_not_found`, `preset_changed`, `preset_exists`, and as `checkInput` and `findOperation`.
 */
export async function updatePreset(
  context: Context,
  caller: Caller,
  id: string,
  { name, input, version }: PresetUpdate,
): Promise<Preset> {
  const { accountId } = caller.actor;
  if (input) checkInput(input);
  const row = await context.database.transaction(async (queries) => {
    await lockPresets(queries, accountId);
    const old = await findPreset(queries, accountId, id, { forUpdate: true });
    assertUnchanged(old, version);
    const renamed = { ...old, name: name?.trim() ?? old.name };
    if (name !== undefined) await assertNameIsFree(queries, renamed);
    const changed = await nextVersion(queries, caller.actor, old, {
      name: renamed.name,
      ...(input && (await replacement(context, queries, old, input))),
    });
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "preset.updated",
      targetId: id,
      detail: {
        name: changed.name,
        ...(name !== undefined && { before: old.name }),
        replaced: Boolean(input),
      },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return changed;
  });
  return presetView(context, row);
}

async function replacement(
  context: Context,
  queries: Queries,
  { accountId, model, apiType }: PresetRow,
  input: Record<string, unknown>,
) {
  const { operation } = findOperation(context, apiType, { model }, accountId);
  return {
    schemaVersion: operation.schema_version,
    ...(await storedInput(context, queries, accountId, input)),
  };
}
