import { newId } from "#contract/ids.ts";
import { type Preset, type PresetCreate, presetLimits } from "#contract/presets.ts";
import { type Caller, recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { count, eq } from "#gateway/platform/database/drizzle.ts";
import { presets } from "#gateway/platform/database/schema.ts";
import { checkInput, lockPresets, operationOf } from "./check.ts";
import { assertNameIsFree } from "./find.ts";
import { storedInput } from "./media.ts";
import { presetView } from "./view.ts";

/** Saves an input under a name. Throws as `findOperation` and `checkInput`, `preset_exists` and `too_many_presets`. */
export async function createPreset(context: Context, caller: Caller, create: PresetCreate): Promise<Preset> {
  const { actor } = caller;
  const { accountId } = actor;
  const { model, operation } = operationOf(context, create, accountId);
  checkInput(create.input);
  const row = await context.database.transaction(async (queries) => {
    await lockPresets(queries, accountId);
    const values = {
      id: newId("preset"),
      accountId,
      keyId: actor.kind === "key" ? actor.id : null,
      userId: actor.userId,
      name: create.name.trim(),
      model: model.id,
      apiType: operation.api_type,
      schemaVersion: operation.schema_version,
      ...(await storedInput(context, queries, accountId, create.input)),
    };
    await assertNameIsFree(queries, values);
    const [saved] = await queries
      .select({ count: count() })
      .from(presets)
      .where(eq(presets.accountId, accountId));
    if ((saved?.count ?? 0) >= presetLimits.perAccount)
      throw new ApiError(
        "too_many_presets",
        `An account has at most ${presetLimits.perAccount.toLocaleString("en")} presets. Delete one first.`,
      );
    const [made] = await queries.insert(presets).values(values).returning();
    if (!made) throw new ApiError("internal_error", "The preset was not saved.");
    await recordAudit(queries, {
      accountId,
      actor,
      action: "preset.created",
      targetId: made.id,
      detail: { name: made.name, operation: operation.id },
      ip: caller.ip,
      requestId: caller.requestId,
    });
    return made;
  });
  return presetView(context, row);
}
