import type { Preset, PresetUpdate } from "#contract/presets.ts";
import { type Caller, recordAudit } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { clock } from "#gateway/core/clock.ts";
import type { Queries } from "#gateway/database/database.ts";
import { eq } from "#gateway/database/drizzle.ts";
import { presets } from "#gateway/database/schema.ts";
import { findOperation } from "#gateway/operations/find-operation.ts";
import { checkInput, lockPresets } from "./check.ts";
import { assertNameIsFree, findPreset, type PresetRow } from "./find.ts";
import { storedInput } from "./media.ts";
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
    if (version !== undefined && version !== old.version)
      throw new ApiError(
        "preset_changed",
        `Somebody has changed the preset since you read version ${version}: it has version ${old.version} now. Read it again, then make your change.`,
        { param: "version" },
      );
    const renamed = { ...old, name: name?.trim() ?? old.name };
    if (name !== undefined) await assertNameIsFree(queries, renamed);
    const [changed = old] = await queries
      .update(presets)
      .set({
        name: renamed.name,
        ...(input && (await replacement(context, queries, old, input))),
        version: old.version + 1,
        changedByKeyId: caller.actor.kind === "key" ? caller.actor.id : null,
        changedByUserId: caller.actor.userId,
        updatedAt: clock.date(),
      })
      .where(eq(presets.id, id))
      .returning();
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
