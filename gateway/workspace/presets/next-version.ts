import { presetLimits } from "#contract/presets.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, lt } from "#gateway/platform/database/drizzle.ts";
import { presets, presetVersions } from "#gateway/platform/database/schema.ts";
import type { PresetRow } from "./find.ts";
import { versionOf } from "./versions.ts";

type Change = Partial<
  Pick<typeof presets.$inferInsert, "name" | "input" | "media" | "mediaExpiresAt" | "schemaVersion">
>;

/** Throws `preset_changed` when the preset is not as it was when it was read. */
export function assertUnchanged({ version: now }: PresetRow, version: number | undefined): void {
  if (version !== undefined && version !== now)
    throw new ApiError(
      "preset_changed",
      `Somebody has changed the preset since you read version ${version}: it has version ${now} now. Read it again, then make your change.`,
      { param: "version" },
    );
}

/** Keeps the preset as it is among its versions, and makes `change`. Call it with its row locked. */
export async function nextVersion(
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
