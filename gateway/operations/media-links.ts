import { createReadStream } from "node:fs";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { clock } from "#gateway/core/clock.ts";
import type { ResolvedMedia } from "#gateway/providers/provider.ts";
import { removeReservedFilesOf, reserveFiles } from "#gateway/storage/reserved-files.ts";
import { outputUrl } from "#gateway/storage/signed-urls.ts";

/** Longer than any sync run; if its process dies, the sweep of reserved files removes the file after this time. */
const lifetimeMs = 3_600_000;

export interface MediaLinks {
  mediaUrl(media: ResolvedMedia): Promise<string>;
  /** Revokes the URLs and removes their files. */
  withdraw(): Promise<void>;
}

/** Signed URLs for the inputs of a sync run, whose files are otherwise in no store. */
export function mediaLinks(context: Context, accountId: string): MediaLinks {
  const held: string[] = [];
  return {
    async mediaUrl({ file, contentType, sizeBytes }) {
      const id = newId("generation");
      const key = `inputs/${id}/0`;
      const until = new Date(clock.now() + lifetimeMs);
      await reserveFiles(context.database.queries, { id, accountId, files: [{ key, sizeBytes }], until });
      held.push(id);
      await context.store.put(key, createReadStream(file), { contentType });
      return outputUrl(context, key, { expiresAt: until });
    },
    withdraw: () => removeReservedFilesOf(context, held),
  };
}
