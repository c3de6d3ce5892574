import type { Maker } from "#contract/accounts/people.ts";
import type { PresetVersion, PresetVersionList, PresetVersionSummary } from "#contract/presets.ts";
import { type Made, readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, getTableColumns } from "#gateway/platform/database/drizzle.ts";
import { presetVersions } from "#gateway/platform/database/schema.ts";
import { findPreset, type PresetRow } from "./find.ts";
import { usableInput } from "./media.ts";
import { changerOf, hasChanger } from "./view.ts";

type VersionRow = typeof presetVersions.$inferSelect;

/** Inputs are long, and a list shows none. */
const { input: _input, media: _media, ...listed } = getTableColumns(presetVersions);

/** The preset as one of its versions. */
export function versionOf(preset: PresetRow): VersionRow {
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

/** The versions that are known of a preset, the current one first. Throws `preset_not_found`. */
export async function listVersions(
  { database: { queries } }: Context,
  accountId: string,
  id: string,
): Promise<PresetVersionList> {
  const current = versionOf(await findPreset(queries, accountId, id));
  const kept = await queries
    .select(listed)
    .from(presetVersions)
    .where(eq(presetVersions.presetId, id))
    .orderBy(desc(presetVersions.version));
  // A change between the two reads has kept what is read as the current one.
  const rows = [current, ...kept.filter(({ version }) => version < current.version)];
  const makerOf = await readMakers(queries, rows);
  return { object: "list", data: rows.map((row) => summaryOf(row, makerOf)) };
}

/** A version with what can still be used of its input. Throws `preset_not_found` and `preset_version_not_found`. */
export async function readVersion(
  context: Context,
  accountId: string,
  id: string,
  version: number,
): Promise<PresetVersion> {
  const { queries } = context.database;
  const row = await findVersion(queries, await findPreset(queries, accountId, id), version);
  const makerOf = await readMakers(queries, [row]);
  const { input, media } = await usableInput(queries, accountId, row);
  return { ...summaryOf(row, makerOf), input, media };
}

/** The version of a preset, which may be the current one. Throws `preset_version_not_found`. */
export async function findVersion(queries: Queries, preset: PresetRow, version: number): Promise<VersionRow> {
  if (version === preset.version) return versionOf(preset);
  const [row] = await queries
    .select()
    .from(presetVersions)
    .where(and(eq(presetVersions.presetId, preset.id), eq(presetVersions.version, version)));
  if (!row)
    throw new ApiError(
      "preset_version_not_found",
      `Version ${version} of ${preset.id} is not kept. GET /v1/presets/${preset.id}/versions lists those that are.`,
    );
  return row;
}

function summaryOf(
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
