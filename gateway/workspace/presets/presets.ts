import { newId } from "#contract/ids.ts";
import type { Deleted } from "#contract/list.ts";
import {
  type Preset,
  type PresetCreate,
  type PresetRestore,
  type PresetUpdate,
  presetLimits,
} from "#contract/presets.ts";
import { presetRoutes } from "#contract/routes/presets.ts";
import { recordAudit } from "#gateway/access/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, eq, lt } from "#gateway/platform/database/drizzle.ts";
import { presets, presetVersions } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";

import { serve } from "#gateway/platform/http/serve.ts";
import { findOperation } from "#gateway/runs/operations/find-operation.ts";
import { checkInput, lockPresets, operationOf } from "./check.ts";
import { assertNameIsFree, findPreset, type PresetRow } from "./find.ts";
import { listPresets } from "./list.ts";
import { storedInput, usableUploads, withoutGone } from "./media.ts";
import { findVersion, listVersions, readVersion, versionOf } from "./versions.ts";
import { presetView } from "./view.ts";

export function installPresets(app: App, context: Context): void {
  serve(app, context, presetRoutes, {
    "GET /presets": (request) => listPresets(context, actorOf(request).accountId, request.query),
    "POST /presets": ({ caller, body }) => createPreset(context, caller, body),
    "GET /presets/{id}": async (request) => {
      const { accountId } = actorOf(request);
      return presetView(context, await findPreset(context.database.queries, accountId, request.params.id));
    },
    "PATCH /presets/{id}": (request) =>
      updatePreset(context, request.caller, request.params.id, request.body),
    "GET /presets/{id}/versions": (request) =>
      listVersions(context, actorOf(request).accountId, request.params.id),
    "GET /presets/{id}/versions/{version}": (request) =>
      readVersion(context, actorOf(request).accountId, request.params.id, request.params.version),
    "POST /presets/{id}/versions/{version}/restore": (request) => {
      const { id, version } = request.params;
      return restoreVersion(context, request.caller, id, version, request.body);
    },
    "DELETE /presets/{id}": (request) => deletePreset(context, request.caller, request.params.id),
  });
}

/** Saves an input under a name. Throws as `findOperation` and `checkInput`, `preset_exists` and `too_many_presets`. */
async function createPreset(context: Context, caller: Caller, create: PresetCreate): Promise<Preset> {
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

/**
 * Renames a preset, or replaces its input, which then belongs to the schema of now. With `version` only as it was
 * then. Throws `preset_not_found`, `preset_changed`, `preset_exists`, and as `checkInput` and `findOperation`.
 */
async function updatePreset(
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

/**
 * Gives a preset the name and the input that it had, as its next version. With `version` only as it was then. Throws
 * `preset_not_found`, `preset_version_not_found`, `preset_changed`, `preset_exists`, and `invalid_parameter` for the
 * version that it has already.
 */
async function restoreVersion(
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

/** Deletes a preset; afterwards its id is unknown. Throws `preset_not_found`. */
async function deletePreset(context: Context, caller: Caller, id: string): Promise<Deleted> {
  const { accountId } = caller.actor;
  await context.database.transaction(async (queries) => {
    const { name, model, apiType } = await findPreset(queries, accountId, id, { forUpdate: true });
    await queries.delete(presets).where(eq(presets.id, id));
    await recordAudit(queries, {
      accountId,
      actor: caller.actor,
      action: "preset.deleted",
      targetId: id,
      detail: { name, operation: `${model}:${apiType}` },
      ip: caller.ip,
      requestId: caller.requestId,
    });
  });
  return { id, object: "preset", deleted: true };
}

type Change = Partial<
  Pick<typeof presets.$inferInsert, "name" | "input" | "media" | "mediaExpiresAt" | "schemaVersion">
>;

/** Throws `preset_changed` when the preset is not as it was when it was read. */
function assertUnchanged({ version: now }: PresetRow, version: number | undefined): void {
  if (version !== undefined && version !== now)
    throw new ApiError(
      "preset_changed",
      `Somebody has changed the preset since you read version ${version}: it has version ${now} now. Read it again, then make your change.`,
      { param: "version" },
    );
}

/** Keeps the preset as it is among its versions, and makes `change`. Call it with its row locked. */
async function nextVersion(
  queries: Queries,
  actor: Actor,
  old: PresetRow,
  change: Change,
): Promise<PresetRow> {
  const { id } = old;
  await queries.insert(presetVersions).values(versionOf(old));
  await queries
    .delete(presetVersions)
    .where(and(eq(presetVersions.presetId, id), lt(presetVersions.version, oldestKept(old.version + 1))));
  const [changed = old] = await queries
    .update(presets)
    .set({
      ...change,
      version: old.version + 1,
      changedByKeyId: actor.kind === "key" ? actor.id : null,
      changedByUserId: actor.userId,
      updatedAt: clock.date(),
    })
    .where(eq(presets.id, id))
    .returning();
  return changed;
}

function oldestKept(version: number): number {
  return version - presetLimits.versions;
}
