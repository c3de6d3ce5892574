import type { Maker } from "#contract/accounts/people.ts";
import type { ErrorDetail } from "#contract/error.ts";
import { newId } from "#contract/ids.ts";
import { type Deleted, deleted, type List } from "#contract/list.ts";
import {
  type Preset,
  type PresetCreate,
  type PresetQuery,
  type PresetRestore,
  type PresetSummary,
  type PresetUpdate,
  type PresetVersion,
  type PresetVersionList,
  type PresetVersionSummary,
  presetLimits,
  presetRoutes,
} from "#contract/presets.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { type Made, readMakers } from "#gateway/access/accounts/people.ts";
import { assertMayKeep } from "#gateway/access/accounts/retention.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { assertMayLook } from "#gateway/models/catalog/clearance.ts";
import { type Actor, type Caller, madeBy } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { findOwn, lockName, readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, getTableColumns, lt, ne, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import { presets, presetVersions } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { findOperation } from "#gateway/runs/operations/admit.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import {
  checkInput,
  confirmation,
  storedInput,
  usableInput,
  usableUploads,
  withoutGone,
  withValueAt,
} from "./input.ts";

/** A preset only stores an input, so its handlers cannot reach providers, the store or budgets. */
type PresetContext = Pick<WorkspaceContext, "database" | "catalog" | "config">;
type PresetRow = typeof presets.$inferSelect;
type VersionRow = typeof presetVersions.$inferSelect;

export function installPresets(app: App, context: WorkspaceContext): void {
  serve(app, context, presetRoutes, {
    "GET /presets": ({ caller, query }) => listPresets(context, caller.actor.accountId, query),
    "POST /presets": ({ caller, body }) => createPreset(context, caller, body),
    "GET /presets/{id}": ({ caller, params }) => readPreset(context, caller.actor, params.id),
    "PATCH /presets/{id}": ({ caller, params, body }) => updatePreset(context, caller, params.id, body),
    "GET /presets/{id}/versions": ({ caller, params }) =>
      listVersions(context, caller.actor.accountId, params.id),
    "GET /presets/{id}/versions/{version}": ({ caller, params }) =>
      readVersion(context, caller.actor, params.id, params.version),
    "POST /presets/{id}/versions/{version}/restore": ({ caller, params, body }) =>
      restoreVersion(context, caller, params.id, params.version, body),
    "DELETE /presets/{id}": ({ caller, params }) => deletePreset(context, caller, params.id),
  });
}

/** The account's presets, newest first. */
export function listPresets(
  context: PresetContext,
  accountId: string,
  query: PresetQuery,
): Promise<List<PresetSummary>> {
  const { queries } = context.database;
  const { model, api_type: apiType, search } = query;
  const page = keyset("preset", presets.id, query, [
    eq(presets.accountId, accountId),
    model === undefined ? undefined : eq(presets.model, model),
    apiType === undefined ? undefined : eq(presets.apiType, apiType),
    foundBy(search, {
      idColumn: presets.id,
      among: eq(presets.accountId, accountId),
      texts: [presets.name, presets.model],
    }),
  ]);
  // Inputs are long, and lists do not show them.
  const { input: _input, media: _media, ...listed } = getTableColumns(presets);
  return readPage(queries, page, queries.select(listed).from(presets).$dynamic(), async (rows) => {
    const makerOf = await readMakers(queries, [...rows, ...rows.map(changerOf)]);
    return rows.map((row) => presetSummary(context, row, makerOf));
  });
}

/** A preset with the usable part of its input. Throws as `findShown`. */
async function readPreset(context: PresetContext, actor: Actor, id: string): Promise<Preset> {
  return presetView(context, await findShown(context, actor, id));
}

/**
 * The account's preset, for a caller who may see what its model is asked. Throws `preset_not_found`, and as
 * `assertMayLook`.
 */
async function findShown(context: PresetContext, actor: Actor, id: string): Promise<PresetRow> {
  const row = await findPreset(context.database.queries, actor.accountId, id);
  await assertMayLook(context, actor, row.model);
  return row;
}

/** Saves an input under a name. Throws as `findOperation` and `checkInput`, `shorter_retention`, `preset_exists` and `too_many_presets`. */
async function createPreset(context: PresetContext, caller: Caller, create: PresetCreate): Promise<Preset> {
  const { actor } = caller;
  const { accountId } = actor;
  const { model, operation } = findOperation(
    context,
    create.api_type,
    { model: create.model },
    { accountId },
  );
  checkInput(create.input);
  const row = await audited(context, caller, "preset.created", async (queries) => {
    await assertMayKeep(queries, context.config, accountId, "A preset");
    await lockPresets(queries, accountId);
    const values = {
      id: newId("preset"),
      accountId,
      ...madeBy(actor),
      name: create.name.trim(),
      model: model.id,
      apiType: operation.api_type,
      schemaVersion: operation.schema_version,
      ...(await storedInput(context, queries, accountId, create.input)),
    };
    await assertNameIsFree(queries, values);
    if ((await queries.$count(presets, eq(presets.accountId, accountId))) >= presetLimits.perAccount)
      throw new ApiError(
        "too_many_presets",
        `An account has at most ${presetLimits.perAccount.toLocaleString("en")} presets. Delete one first.`,
      );
    const [made] = await queries.insert(presets).values(values).returning();
    if (!made) throw new ApiError("internal_error", "The preset was not saved.");
    return { target: made.id, detail: { name: made.name, operation: operation.id }, result: made };
  });
  return presetView(context, row);
}

/**
 * Renames a preset, or replaces its input and marks it as made for the current schema. If the request names a
 * `version`, the preset must still have that version. Throws as `findShown`, `preset_changed`,
 * `preset_exists`, and as `checkInput` and `findOperation`.
 */
async function updatePreset(
  context: PresetContext,
  caller: Caller,
  id: string,
  { name, input, version }: PresetUpdate,
): Promise<Preset> {
  const { accountId } = caller.actor;
  if (input) checkInput(input);
  // The answer has the whole input, also after a new name.
  await findShown(context, caller.actor, id);
  const row = await audited(context, caller, "preset.updated", async (queries) => {
    await lockPresets(queries, accountId);
    const old = await findPreset(queries, accountId, id, "update");
    assertUnchanged(old, version);
    const renamed = { ...old, name: name?.trim() ?? old.name };
    if (name !== undefined) await assertNameIsFree(queries, renamed);
    const changed = await nextVersion(queries, caller.actor, old, {
      name: renamed.name,
      ...(input && (await replacement(context, queries, old, input))),
    });
    const before = name === undefined ? {} : { before: old.name };
    return {
      target: id,
      detail: { name: changed.name, ...before, replaced: Boolean(input) },
      result: changed,
    };
  });
  return presetView(context, row);
}

async function replacement(
  context: PresetContext,
  queries: Queries,
  { accountId, model, apiType }: PresetRow,
  input: Record<string, unknown>,
) {
  const { operation } = findOperation(context, apiType, { model }, { accountId });
  return {
    schemaVersion: operation.schema_version,
    ...(await storedInput(context, queries, accountId, input)),
  };
}

/**
 * Restores the name and input of an earlier version as a new version. If the request names a `version`, the
 * preset must still have that version. Throws as `findShown`, `preset_version_not_found`,
 * `preset_changed`, `preset_exists`, and `invalid_parameter` for the current version.
 */
async function restoreVersion(
  context: PresetContext,
  caller: Caller,
  id: string,
  wanted: number,
  { version }: PresetRestore,
): Promise<Preset> {
  const { accountId } = caller.actor;
  await findShown(context, caller.actor, id);
  const row = await audited(context, caller, "preset.restored", async (queries) => {
    await lockPresets(queries, accountId);
    const old = await findPreset(queries, accountId, id, "update");
    assertUnchanged(old, version);
    if (wanted === old.version)
      throw invalidParameter("version", `The preset is already at version ${wanted}.`);
    const { name, input, media, schemaVersion } = await findVersion(queries, old, wanted);
    await assertNameIsFree(queries, { ...old, name });
    const usable = await usableUploads(queries, accountId, media);
    const changed = await nextVersion(queries, caller.actor, old, {
      name,
      schemaVersion,
      ...withoutGone(input, media, usable),
    });
    return { target: id, detail: { name, version: wanted }, result: changed };
  });
  return presetView(context, row);
}

/** Deletes a preset; its id is then unknown. Throws `preset_not_found`. */
function deletePreset(context: PresetContext, caller: Caller, id: string): Promise<Deleted> {
  return audited(context, caller, "preset.deleted", async (queries) => {
    const { name, model, apiType } = await findPreset(queries, caller.actor.accountId, id, "update");
    await queries.delete(presets).where(eq(presets.id, id));
    return { target: id, detail: { name, operation: `${model}:${apiType}` }, result: deleted("preset", id) };
  });
}

/** The account's preset. Throws `preset_not_found`, also for another account's id. */
function findPreset(queries: Queries, accountId: string, id: string, lock?: "update"): Promise<PresetRow> {
  return findOwn(
    queries,
    presets,
    { accountId, id, lock },
    () => new ApiError("preset_not_found", `There is no preset ${id}. It may have been deleted.`),
  );
}

/**
 * An account's presets are created and renamed one at a time, so that names stay unique and their number
 * within the limit.
 */
function lockPresets(queries: Queries, accountId: string): Promise<void> {
  return lockName(queries, `presets of ${accountId}`);
}

/** Throws `preset_exists` if another preset of the operation has the name. Call it under `lockPresets`. */
async function assertNameIsFree(
  queries: Queries,
  { id, accountId, model, apiType, name }: Pick<PresetRow, "id" | "accountId" | "model" | "apiType" | "name">,
): Promise<void> {
  const [other] = await queries
    .select({ id: presets.id })
    .from(presets)
    .where(
      and(
        eq(presets.accountId, accountId),
        eq(presets.model, model),
        eq(presets.apiType, apiType),
        eq(sql`lower(${presets.name})`, sql`lower(${name})`),
        ne(presets.id, id),
      ),
    );
  if (other)
    throw new ApiError(
      "preset_exists",
      `The preset ${other.id} already has this name. Choose another name, or replace its input.`,
      { param: "name" },
    );
}

/** Throws `preset_changed` if the preset has changed since it was read. */
function assertUnchanged({ version: now }: PresetRow, version: number | undefined): void {
  if (version !== undefined && version !== now)
    throw new ApiError(
      "preset_changed",
      `Somebody has changed the preset since you read version ${version}: it has version ${now} now. Read it again, then make your change.`,
      { param: "version" },
    );
}

type Change = Partial<
  Pick<typeof presets.$inferInsert, "name" | "input" | "media" | "mediaExpiresAt" | "schemaVersion">
>;

/** Stores the current state as a version, then applies `change`. Call it with the preset's row locked. */
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

/** The current preset in the form of a version. */
function versionOf(preset: PresetRow): VersionRow {
  const { id, version, name, input, schemaVersion, media, mediaExpiresAt, updatedAt } = preset;
  const made = hasChanger(preset) ? changerOf(preset) : { keyId: preset.keyId, userId: preset.userId };
  return {
    presetId: id,
    version,
    ...made,
    name,
    input,
    schemaVersion,
    media,
    mediaExpiresAt,
    createdAt: updatedAt,
  };
}

/** The known versions of a preset, the current one first. Throws `preset_not_found`. */
async function listVersions(
  { database: { queries } }: PresetContext,
  accountId: string,
  id: string,
): Promise<PresetVersionList> {
  const current = versionOf(await findPreset(queries, accountId, id));
  const { input: _input, media: _media, ...listed } = getTableColumns(presetVersions);
  const kept = await queries
    .select(listed)
    .from(presetVersions)
    .where(eq(presetVersions.presetId, id))
    .orderBy(desc(presetVersions.version));
  // If a change between the two reads has stored the current version, it would appear twice.
  const rows = [current, ...kept.filter(({ version }) => version < current.version)];
  const makerOf = await readMakers(queries, rows);
  return { object: "list", data: rows.map((row) => versionSummary(row, makerOf)) };
}

/** A version with the usable part of its input. Throws as `findShown`, and `preset_version_not_found`. */
async function readVersion(
  context: PresetContext,
  actor: Actor,
  id: string,
  version: number,
): Promise<PresetVersion> {
  const { queries } = context.database;
  const { accountId } = actor;
  const row = await findVersion(queries, await findShown(context, actor, id), version);
  const makerOf = await readMakers(queries, [row]);
  const { input, media } = await usableInput(queries, accountId, row);
  return { ...versionSummary(row, makerOf), input, media };
}

/** A version of the preset, which may be the current one. Throws `preset_version_not_found`. */
async function findVersion(queries: Queries, preset: PresetRow, version: number): Promise<VersionRow> {
  if (version === preset.version) return versionOf(preset);
  const [row] = await queries
    .select()
    .from(presetVersions)
    .where(and(eq(presetVersions.presetId, preset.id), eq(presetVersions.version, version)));
  if (!row)
    throw new ApiError(
      "preset_version_not_found",
      `Version ${version} of ${preset.id} is no longer stored. GET /v1/presets/${preset.id}/versions lists the stored versions.`,
    );
  return row;
}

type Changed = Pick<PresetRow, "changedByKeyId" | "changedByUserId">;

/** The last editor of the preset, in the form for `readMakers`. */
function changerOf({ changedByKeyId: keyId, changedByUserId: userId }: Changed): Made {
  return { keyId, userId };
}

function hasChanger({ changedByKeyId, changedByUserId }: Changed): boolean {
  return changedByKeyId !== null || changedByUserId !== null;
}

function presetSummary(
  { catalog }: PresetContext,
  row: Omit<PresetRow, "input" | "media">,
  makerOf: (made: Made) => Maker,
): PresetSummary {
  const { operation } = catalog.operation(row.model, row.apiType, row.accountId) ?? {};
  return {
    id: row.id,
    object: "preset",
    name: row.name,
    model: row.model,
    api_type: row.apiType,
    schema_version: row.schemaVersion,
    current_schema_version: operation?.schema_version ?? null,
    version: row.version,
    made_by: makerOf(row),
    changed_by: hasChanger(row) ? makerOf(changerOf(row)) : null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function versionSummary(
  row: Omit<VersionRow, "input" | "media">,
  makerOf: (made: Made) => Maker,
): PresetVersionSummary {
  return {
    object: "preset_version",
    preset_id: row.presetId,
    version: row.version,
    name: row.name,
    schema_version: row.schemaVersion,
    changed_by: makerOf(row),
    created_at: row.createdAt.toISOString(),
  };
}

/** Replaces a removed file, so that its absence does not look like a change of the schema. */
const anyFile = "upload://removed";

/** A preset with the usable part of its input. */
async function presetView(context: PresetContext, row: PresetRow): Promise<Preset> {
  const { queries } = context.database;
  const makerOf = await readMakers(queries, [row, changerOf(row)]);
  const { input, media, gone } = await usableInput(queries, row.accountId, row);
  const compiled = context.catalog.operation(row.model, row.apiType, row.accountId);
  const hasChanged = compiled && compiled.operation.schema_version !== row.schemaVersion;
  return {
    ...presetSummary(context, row, makerOf),
    input,
    media,
    problems: hasChanged ? problemsOf(compiled, withValueAt(row.input, gone, anyFile)) : [],
  };
}

function problemsOf(compiled: CompiledOperation, input: Record<string, unknown>): ErrorDetail[] {
  const body = { ...input, model: compiled.model.id };
  const unlisted = compiled.unlisted(body).map((name) => ({
    path: `/${name}`,
    keyword: "additionalProperties",
    message: "is no longer in the schema",
  }));
  return [...unlisted, ...compiled.validate(body)].filter(({ path }) => path !== `/${confirmation}`);
}
