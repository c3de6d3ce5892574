import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { and, eq, lte } from "#gateway/platform/database/drizzle.ts";
import { presets, presetVersions } from "#gateway/platform/database/schema.ts";
import { usableUploads, withoutGone } from "./media.ts";

const batchSize = 100;

/** Takes the references of files whose time is over out of presets and their versions. */
export const presetMediaSweep: Sweep = {
  kind: "preset_media",
  async run(context) {
    const more = [await sweepPresets(context), await sweepVersions(context)];
    return more.includes(true);
  },
  oldestDue: () =>
    "select least((select min(media_expires_at) from presets), (select min(media_expires_at) from preset_versions))",
};

function sweepPresets({ database }: Context): Promise<boolean> {
  return database.transaction(async (queries) => {
    const rows = await queries
      .select()
      .from(presets)
      .where(lte(presets.mediaExpiresAt, clock.date()))
      .orderBy(presets.mediaExpiresAt)
      .limit(batchSize)
      .for("update", { skipLocked: true });
    for (const { id, accountId, input, media } of rows) {
      const usable = await usableUploads(queries, accountId, media);
      await queries
        .update(presets)
        .set(withoutGone(input, media, usable))
        .where(eq(presets.id, id));
    }
    return rows.length === batchSize;
  });
}

function sweepVersions({ database }: Context): Promise<boolean> {
  return database.transaction(async (queries) => {
    const rows = await queries
      .select({ kept: presetVersions, accountId: presets.accountId })
      .from(presetVersions)
      .innerJoin(presets, eq(presets.id, presetVersions.presetId))
      .where(lte(presetVersions.mediaExpiresAt, clock.date()))
      .orderBy(presetVersions.mediaExpiresAt)
      .limit(batchSize)
      .for("update", { of: presetVersions, skipLocked: true });
    for (const { kept, accountId } of rows) {
      const { presetId, version, input, media } = kept;
      const usable = await usableUploads(queries, accountId, media);
      await queries
        .update(presetVersions)
        .set(withoutGone(input, media, usable))
        .where(and(eq(presetVersions.presetId, presetId), eq(presetVersions.version, version)));
    }
    return rows.length === batchSize;
  });
}
