import { clock } from "#gateway/core/clock.ts";
import type { Sweep } from "#gateway/core/sweeps.ts";
import { eq, lte } from "#gateway/database/drizzle.ts";
import { presets } from "#gateway/database/schema.ts";
import { usableUploads, withoutGone } from "./media.ts";

const batchSize = 100;

/** Takes the references of files whose time is over out of presets. */
export const presetMediaSweep: Sweep = {
  kind: "preset_media",
  async run({ database }) {
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
  },
  oldestDue: () => "select min(media_expires_at) from presets",
};
