import { createReadStream } from "node:fs";
import { inArray } from "drizzle-orm";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { generations } from "#gateway/database/schema.ts";
import type { ResolvedMedia } from "#gateway/providers/provider.ts";
import { outputUrl } from "#gateway/storage/signed-urls.ts";

/** Longer than any sync run; when its process dies, the sweep of generations removes the file after this. */
const lifetimeMs = 3_600_000;

export interface MediaLinks {
  mediaUrl(media: ResolvedMedia): Promise<string>;
  /** Ends the URLs and removes what was kept for them. */
  withdraw(): Promise<void>;
}

/** Signed URLs for the inputs of a sync run, whose files are otherwise in no store. */
export function mediaLinks(context: Context, accountId: string): MediaLinks {
  const kept: { id: string; key: string }[] = [];
  return {
    async mediaUrl({ file, contentType, sizeBytes }) {
      const id = newId("generation");
      const key = `inputs/${id}/0`;
      const expiresAt = new Date(Date.now() + lifetimeMs);
      const output = { key, contentType, sizeBytes, width: null, height: null, duration: null };
      // The row goes first: a file without one would stay for ever.
      await context.database.queries
        .insert(generations)
        .values({ id, accountId, outputs: [output], expiresAt });
      kept.push({ id, key });
      await context.store.put(key, createReadStream(file), { contentType });
      return outputUrl(context, key, { expiresAt });
    },
    async withdraw() {
      if (kept.length === 0) return;
      for (const { key } of kept) await context.store.delete(key);
      await context.database.queries.delete(generations).where(
        inArray(
          generations.id,
          kept.map(({ id }) => id),
        ),
      );
    },
  };
}
