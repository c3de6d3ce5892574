import { setTimeout as sleep } from "node:timers/promises";
import type { Manifest } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import { hasFile } from "#gateway/files/storage/remove-files.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { outputs } from "#gateway/platform/database/schema.ts";
import { notRead, readManifest } from "./reader.ts";
import type { StoredRow } from "./record.ts";

/** How long one request waits for manifests. Later ones are still read, for the next request. */
const patienceMs = 5_000;

/** Reads in progress in this process, by output. */
const underWay = new Map<string, Promise<Manifest>>();

/** The rows with the content of their files' manifests, as far as it could be read in a few seconds. */
export async function withManifests(context: Context, rows: readonly StoredRow[]): Promise<StoredRow[]> {
  const patience = new AbortController();
  const over = sleep(patienceMs, notRead, { signal: patience.signal }).catch(() => notRead);
  const read: StoredRow[] = [];
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (const row of rows) {
    if (row.manifest !== null || isOver) read.push(row);
    else read.push({ ...row, manifest: await Promise.race([readOnce(context, row), over]) });
  }
  patience.abort();
  return read;
}

function readOnce(context: Context, row: StoredRow): Promise<Manifest> {
  const known = underWay.get(row.id);
  if (known) return known;
  const reading = readAndKeep(context, row)
    .catch((err: unknown) => {
      context.log.warn({ err, output: row.id }, "the manifest of an output could not be read");
      return notRead;
    })
    .finally(() => underWay.delete(row.id));
  underWay.set(row.id, reading);
  return reading;
}

async function readAndKeep(context: Context, row: StoredRow): Promise<Manifest> {
  const { id, key, contentType, sizeBytes } = row;
  const manifest = await readManifest({ contentType, sizeBytes, bytes: () => bytesOf(context, key) });
  const isFinal = manifest.reason !== "not_read" && manifest.reason !== "reader_missing";
  if (isFinal)
    await context.database.queries
      .update(outputs)
      .set({ manifest })
      // Skips a file that was removed meanwhile.
      .where(and(eq(outputs.id, id), hasFile));
  return manifest;
}

/** The whole object in memory; null if it does not exist. Check the object's size before. */
export async function bytesOf({ store }: Pick<Context, "store">, key: string): Promise<Buffer | null> {
  const object = await store.get(key);
  return object && Buffer.concat(await object.stream.toArray());
}
