import type { Preset, PresetRestore } from "#contract/presets.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { lockPresets } from "./check.ts";
import { assertNameIsFree, findPreset } from "./find.ts";
import { usableUploads, withoutGone } from "./media.ts";
import { assertUnchanged, nextVersion } from "./next-version.ts";
import { findVersion } from "./versions.ts";
import { presetView } from "./view.ts";

/**
 * Gives a preset the name and the input that it had, as its next version. With `version` only as it was then. Throws
 * `preset_not_found`, `preset_version_not_found`, `preset_changed`, `preset_exists`, and `invalid_parameter` for the
 * version that it has already.
 */
export async function restoreVersion(
  context: Context,
  caller: Caller,
  id: string,
  wanted: number,
  { version }: PresetRestore,
): Promise<Preset> {
  const { accountId } = caller.actor;
  const row = await context.database.transaction(async (queries) => {
    await lockPresets(queries, accountId);
    const old = await findPreset(queries, accountId, id, { forUpdate: true });
    assertUnchanged(old, version);
    if (wanted === old.version)
      throw new ApiError("invalid_parameter", `The preset has version ${wanted} already.`, {
        param: "version",
      });
    const { name, input, media, schemaVersion } = await findVersion(queries, old, wanted);
    await assertNameIsFree(queries, { ...old, name });
    const usable = await usableUploads(queries, accountId, media);
    const changed = await nextVersion(queries, caller.actor, old, {
      name,
      schemaVersion,
      ...withoutGone(input, media, usable),
    });
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "preset.restored",
      targetId: id,
      detail: { name, version: wanted },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return changed;
  });
  return presetView(context, row);
}
