import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { newId } from "#contract/ids.ts";
import { reserveFiles } from "#gateway/files/storage/remove-files.ts";
import { fileUrl, inputKey } from "#gateway/files/storage/signed-urls.ts";
import { replaceAt } from "#gateway/models/providers/media/inputs.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { and, eq, inArray, isNull } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { StoredInput, StoredOutput } from "#gateway/platform/database/tables/predictions.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { endsWithRequest } from "#gateway/runs/operations/resolve-media-source.ts";
import { isLeasedHere } from "./lease.ts";

/**
 * Stores the inputs of an async run under `inputs/<id>/`, so that the run does not depend on URLs that
 * expire. They are reserved until the prediction's row owns them. Throws `storage_limit_exceeded`.
 */
export async function keepInputs(
  context: RunsContext,
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
  context: RunsContext,
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
  context: RunsContext,
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

export async function removeRunDirectory(context: RunsContext, id: string): Promise<void> {
  await rm(runDirectory(context, id), { recursive: true, force: true });
}

function runDirectory(context: RunsContext, id: string): string {
  return path.join(context.config.dataDir, "runs", id);
}

/**
 * Writes the files that are about to be stored into a leased prediction; returns false if it has ended or was
 * taken over. Files that an earlier attempt named under other keys may still be on their way into the store,
 * so they are removed later.
 */
export async function nameOutputs(
  { database }: RunsContext,
  id: string,
  named: StoredOutput[],
): Promise<boolean> {
  const first = await database.queries
    .update(predictions)
    .set({ outputs: named })
    .where(and(isLeasedHere(id), isNull(predictions.outputs)))
    .returning({ id: predictions.id });
  if (first.length > 0) return true;
  return database.transaction(async (queries) => {
    const [row] = await queries
      .select({ accountId: predictions.accountId, outputs: predictions.outputs })
      .from(predictions)
      .where(isLeasedHere(id))
      .for("update");
    if (!row) return false;
    const files = keysOutside(row.outputs ?? [], named);
    if (files.length > 0)
      await reserveFiles(queries, { id: newId("generation"), accountId: row.accountId, files });
    await queries.update(predictions).set({ outputs: named }).where(eq(predictions.id, id));
    return true;
  });
}

/**
 * Removes the files of a run that has meanwhile ended in another way or was taken over. Files that its row
 * names are kept unless the run failed.
 */
export async function removeUnlessKept(
  context: RunsContext,
  id: string,
  stored: StoredOutput[],
): Promise<void> {
  const { queries } = context.database;
  const [row] = await queries
    .select({ status: predictions.status, outputs: predictions.outputs })
    .from(predictions)
    .where(eq(predictions.id, id));
  const isOver = row?.status === "failed" || row?.status === "canceled";
  const gone = keysOutside(stored, isOver ? [] : (row?.outputs ?? []));
  if (gone.length > 0) await context.store.delete(gone.map(({ key }) => key));
  if (isOver)
    await queries
      .update(predictions)
      .set({ outputs: null })
      .where(and(eq(predictions.id, id), inArray(predictions.status, ["failed", "canceled"])));
}

export function keysOutside(files: StoredOutput[], named: StoredOutput[]): StoredOutput[] {
  const keys = new Set(named.map(({ key }) => key));
  return files.filter(({ key }) => !keys.has(key));
}
