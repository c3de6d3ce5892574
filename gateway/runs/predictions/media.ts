import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Context } from "#gateway/context.ts";
import { reserveFiles } from "#gateway/files/storage/reserved-files.ts";
import { fileUrl, inputKey } from "#gateway/files/storage/signed-urls.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { StoredInput } from "#gateway/platform/database/tables/predictions.ts";
import { endsWithRequest } from "#gateway/runs/operations/request-files.ts";
import { replaceAt } from "#gateway/runs/provenance/receipts/facts.ts";

/**
 * Stores the inputs of an async run under `inputs/<id>/`, so that the run does not depend on URLs that
 * expire. They are reserved until the prediction's row owns them. Throws `storage_limit_exceeded`.
 */
export async function keepInputs(
  context: Context,
  { id, accountId }: { id: string; accountId: string },
  media: ResolvedMedia[],
): Promise<StoredInput[]> {
  const inputs = media.map(({ file, ...input }, index) => ({
    file,
    input: { ...input, key: `inputs/${id}/${index}` },
  }));
  await context.database.transaction(async (queries) => {
    await reserveFiles(queries, { id, accountId, files: inputs.map(({ input }) => input) });
    await context.storageLimit.assertWithin(queries, accountId);
  });
  for (const { file, input } of inputs)
    await context.store.put(input.key, createReadStream(file), { contentType: input.contentType });
  return inputs.map(({ input }) => input);
}

/**
 * The input to store and show: short signed URLs of the stored bytes replace data URIs and files of the
 * request. Clients can send these URLs again.
 */
export function withLastingMedia(
  context: Context,
  input: Record<string, unknown>,
  media: StoredInput[],
  expiresAt: Date,
): Record<string, unknown> {
  const copy = structuredClone(input);
  for (const { path, key } of media)
    replaceAt(copy, path, (value) =>
      endsWithRequest(value) ? fileUrl(context, inputKey(key), { expiresAt }) : value,
    );
  return copy;
}

/** The stored inputs as local files for a provider; reuses files that exist. */
export async function materialise(
  context: Context,
  id: string,
  media: StoredInput[],
): Promise<ResolvedMedia[]> {
  if (media.length === 0) return [];
  const directory = runDirectory(context, id);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return Promise.all(
    media.map(async ({ key, ...item }, index): Promise<ResolvedMedia> => {
      const file = path.join(directory, String(index));
      const there = await stat(file).catch(() => null);
      if (there?.size !== item.sizeBytes) {
        const object = await context.store.get(key);
        if (!object)
          throw new ProviderError("media_fetch_failed", `The input ${item.path} is no longer stored.`, {
            started: "no",
          });
        await pipeline(object.stream, createWriteStream(file, { mode: 0o600 }));
      }
      return { ...item, file };
    }),
  );
}

export async function removeRunDirectory(context: Context, id: string): Promise<void> {
  await rm(runDirectory(context, id), { recursive: true, force: true });
}

function runDirectory(context: Context, id: string): string {
  return path.join(context.config.dataDir, "runs", id);
}
