import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Context } from "#gateway/context.ts";
import { detectFfmpeg, type FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import {
  releaseReservation,
  removeReservedFilesOf,
  reserveFiles,
} from "#gateway/files/storage/reserved-files.ts";
import { fileRemoved } from "#gateway/files/storage/send-object.ts";
import { orStoreFull } from "#gateway/files/storage/store-full.ts";
import { and, eq, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { previews } from "#gateway/platform/database/schema.ts";
import { draw } from "./draw.ts";
import { fileName, previewName } from "./job.ts";
import { claimMs, fileBytes, previewBytes } from "./limits.ts";

/** A stored file, and the account that its preview counts for. */
export interface PreviewOf {
  accountId: string;
  key: string;
}

/**
 * Makes the preview of a file, or notes that there is none; false if another process does that. Throws `payload_purged` when
 * the file is not there. What fails for another reason than the file is tried again at the next look.
 */
export async function makePreview(context: Context, file: PreviewOf): Promise<boolean> {
  if (!(await context.store.head(file.key))) throw fileRemoved();
  // Each attempt has its own key: a late one never replaces the preview of another.
  const previewKey = `previews/${randomBytes(16).toString("hex")}`;
  if (!(await claim(context, file, previewKey))) return false;
  const mine = and(
    eq(previews.key, file.key),
    eq(previews.previewKey, previewKey),
    eq(previews.state, "making"),
  );
  try {
    const preview = await draftOf(context, file);
    if (preview) await keep(context, file, { previewKey, preview, mine });
    else
      await context.database.queries
        .update(previews)
        .set({ state: "none", previewKey: null, claimedUntil: null })
        .where(mine);
  } catch (error) {
    if (error === claimLost) return false;
    await context.database.queries.delete(previews).where(mine);
    throw error;
  }
  return true;
}

/** The file was removed meanwhile, or another process took over. */
const claimLost = new Error("The claim was lost");

/**
 * Claims a file before it is read: whoever removes the file meanwhile finds the row of the claim, or has removed it before
 * it can be read.
 */
async function claim(
  { database }: Context,
  { key, accountId }: PreviewOf,
  previewKey: string,
): Promise<boolean> {
  const claimedUntil = sql`now() + ${claimMs} * interval '1 millisecond'`;
  const claimed = await database.queries
    .insert(previews)
    .values({ key, accountId, state: "making", previewKey, claimedUntil })
    .onConflictDoUpdate({
      target: previews.key,
      set: { previewKey, claimedUntil },
      setWhere: sql`${previews.state} = 'making' and ${previews.claimedUntil} < now()`,
    })
    .returning({ key: previews.key });
  return claimed.length > 0;
}

/** The bytes of the preview; null if there is none. */
async function draftOf(context: Context, { key }: PreviewOf): Promise<Buffer | null> {
  const object = await context.store.get(key);
  if (!object) throw fileRemoved();
  const { stream, contentType, sizeBytes } = object;
  if (sizeBytes > fileBytes) {
    stream.destroy();
    return null;
  }
  return context.scratch.withDirectory(async (folder) => {
    await pipeline(stream, createWriteStream(path.join(folder, fileName), { mode: 0o600 })).catch((error) => {
      throw orStoreFull(error);
    });
    const failure = await draw({ folder, contentType, ffmpeg: await ffmpegOf(context) });
    if (failure !== null) {
      context.log.info({ file: key, contentType, failure }, "a file has no preview");
      return null;
    }
    const preview = path.join(folder, previewName);
    const { size } = await stat(preview);
    return size > previewBytes ? null : readFile(preview);
  });
}

let ffmpeg: Promise<FfmpegBackend> | undefined;

/** What this machine has, found once. */
function ffmpegOf({ config }: Context): Promise<FfmpegBackend> {
  ffmpeg ??= detectFfmpeg(config.ffmpegPath).then(({ backend }) => backend);
  return ffmpeg;
}

interface Draft {
  previewKey: string;
  preview: Buffer;
  mine: SQL | undefined;
}

/** Stores the preview. It is reserved first, so that it goes even if this process dies, or its file was removed meanwhile. */
async function keep(context: Context, { accountId }: PreviewOf, draft: Draft): Promise<void> {
  const { previewKey: id, preview, mine } = draft;
  const sizeBytes = preview.length;
  await reserveFiles(context.database.queries, { id, accountId, files: [{ key: id, sizeBytes }] });
  try {
    await context.store.put(id, preview, { contentType: "image/webp" });
    await context.database.transaction(async (queries) => {
      // First: it locks the account's total, as all do before the row of a preview.
      await releaseReservation(queries, id);
      const kept = await queries
        .update(previews)
        .set({ state: "made", sizeBytes, claimedUntil: null })
        .where(mine)
        .returning({ key: previews.key });
      if (kept.length === 0) throw claimLost;
    });
  } catch (error) {
    await removeReservedFilesOf(context, [id]).catch((err: unknown) =>
      context.log.warn({ err, preview: id }, "a preview could not be removed; it goes with its reservation"),
    );
    throw error;
  }
}
