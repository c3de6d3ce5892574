import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { previewRoutes } from "#contract/upload.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { detectFfmpeg, type FfmpegBackend } from "#gateway/files/ffmpeg/detect.ts";
import { isObjectKey } from "#gateway/files/storage/object-store.ts";
import {
  releaseReservation,
  removeReservedFilesOf,
  reserveFiles,
} from "#gateway/files/storage/remove-files.ts";
import { allowAnyOrigin, fileRemoved } from "#gateway/files/storage/storage.ts";
import { orStoreFull } from "#gateway/files/storage/store-room.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { FairQueue } from "#gateway/platform/core/fair-queue.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { previews } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { draw } from "./draw.ts";
import {
  abandonedSeconds,
  askAgainMs,
  claimMs,
  drawsAtOnce,
  fileBytes,
  fileName,
  patienceMs,
  previewBytes,
  previewName,
  retryAfterSeconds,
  waiting,
  waitingPerAccount,
} from "./job.ts";
import { verifyPreviewUrl } from "./url.ts";

/** Previews by signed URL; a preview is made at its first view. */
export function installPreviews(app: App, context: FilesContext): void {
  serve(app, context, previewRoutes, {
    "GET /previews/{key}": async (request, reply) => {
      const { query } = request;
      const key = request.params["*"];
      allowAnyOrigin(reply);
      verifyPreviewUrl(context, key, query);
      const left = new AbortController();
      whenClosed(reply.raw, () => left.abort());
      const previewKey = isObjectKey(key) ? await lookAt(context, key, left.signal) : null;
      const preview = previewKey === null ? null : await context.store.get(previewKey);
      if (!preview) throw fileRemoved();
      reply.headers({
        "content-type": preview.contentType,
        "content-length": String(preview.sizeBytes),
        // The content of a URL never changes, so browsers load it only once.
        "cache-control": `private, max-age=${secondsUntil(query.expires)}, immutable`,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
      return reply.send(preview.stream);
    },
  });
}

function secondsUntil(expires: string | undefined): number {
  return Math.max(0, Math.floor(Number(expires) - clock.now() / 1000));
}

/** Makes previews, a few at a time; accounts take turns. */
const queue = new FairQueue({
  atOnce: drawsAtOnce,
  waitingPerGroup: waitingPerAccount,
  waiting,
  refuse: () => busy("Too many previews are being made right now."),
});

interface Making {
  /** Resolves with false if another process is making the preview. */
  made: Promise<boolean>;
  /** One signal per waiting request, aborted when its client disconnects. */
  looks: AbortSignal[];
}

/** Previews that this process is making, by file. */
const underWay = new Map<string, Making>();

/**
 * The object key of a file's preview, which is made at the first view. Concurrent viewers wait for the same
 * one. Throws `preview_not_available` for an unreadable file, `payload_purged` for a removed one, and
 * `service_unavailable` if too many wait.
 */
async function lookAt(context: FilesContext, key: string, look: AbortSignal): Promise<string> {
  const until = performance.now() + patienceMs;
  do {
    const [row] = await context.database.queries.select().from(previews).where(eq(previews.key, key));
    if (row?.state === "made" && row.previewKey !== null) return row.previewKey;
    if (row?.state === "none")
      throw new ApiError("preview_not_available", "This file has no preview: it could not be read.");
    if (!(await makeOnce(context, key, look))) await sleep(askAgainMs);
  } while (performance.now() < until);
  throw busy("The preview of this file is not ready yet.");
}

function makeOnce(context: FilesContext, key: string, look: AbortSignal): Promise<boolean> {
  const known = underWay.get(key);
  if (known) {
    known.looks.push(look);
    return known.made;
  }
  const looks = [look];
  const made = makeInTurn(context, key, looks).finally(() => underWay.delete(key));
  underWay.set(key, { made, looks });
  return made;
}

async function makeInTurn(context: FilesContext, key: string, looks: AbortSignal[]): Promise<boolean> {
  const accountId = await ownerOf(context.database.queries, key);
  return queue.run(accountId, async () => {
    // All viewers disconnected before its turn.
    if (looks.every(({ aborted }) => aborted)) throw busy("Nobody waits for the preview of this file.");
    return makePreview(context, { accountId, key });
  });
}

function busy(message: string): ApiError {
  return new ApiError("service_unavailable", `${message} Try again in a moment.`, { retryAfterSeconds });
}

/**
 * The account of a stored file: that of the prediction, upload, run or output whose id is in its key. Throws
 * `payload_purged` if there is none.
 */
async function ownerOf(queries: Queries, key: string): Promise<string> {
  const [, id = ""] = key.split("/");
  const { rows } = await queries.execute<{ account_id: string }>(sql`
    select account_id from predictions where id = ${id}
    union all select account_id from uploads where id = ${id}
    union all select account_id from outputs where run_id = ${id}
    union all select account_id from outputs where id = ${id}
    limit 1`);
  if (!rows[0]) throw fileRemoved();
  return rows[0].account_id;
}

/** A stored file, and the account whose storage its preview counts towards. */
interface PreviewOf {
  accountId: string;
  key: string;
}

/**
 * Makes the preview of a file, or records that it cannot have one; returns false if another process does
 * that. Throws `payload_purged` if the file does not exist. Failures that are not due to the file are retried
 * at the next view.
 */
async function makePreview(context: FilesContext, file: PreviewOf): Promise<boolean> {
  if (!(await context.store.head(file.key))) throw fileRemoved();
  // Each attempt has its own key, so that a late one never replaces another's preview.
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

/** Thrown if the file was removed meanwhile, or another process took over. */
const claimLost = new Error("The claim was lost");

/**
 * Claims a file before it is read: code that removes the file meanwhile either finds the claim's row, or has
 * removed the file before it can be read.
 */
async function claim(
  { database }: FilesContext,
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
async function draftOf(context: FilesContext, { key }: PreviewOf): Promise<Buffer | null> {
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

/** This machine's ffmpeg, detected once. */
function ffmpegOf({ config }: FilesContext): Promise<FfmpegBackend> {
  ffmpeg ??= detectFfmpeg(config.ffmpegPath).then(({ backend }) => backend);
  return ffmpeg;
}

interface Draft {
  previewKey: string;
  preview: Buffer;
  mine: SQL | undefined;
}

/**
 * Stores the preview. It is reserved first, so that it is removed if this process dies, or if its file was
 * removed meanwhile.
 */
async function keep(context: FilesContext, { accountId }: PreviewOf, draft: Draft): Promise<void> {
  const { previewKey: id, preview, mine } = draft;
  const sizeBytes = preview.length;
  await reserveFiles(context.database.queries, { id, accountId, files: [{ key: id, sizeBytes }] });
  try {
    await context.store.put(id, preview, { contentType: "image/webp" });
    await context.database.transaction(async (queries) => {
      // This comes first, because it locks the account's total, which all writers lock before the row of a
      // preview.
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

/** Removes claims of processes that died while making a preview, if nobody viewed the file again. */
export const abandonedPreviewSweep = rowSweep({
  kind: "abandoned_previews",
  table: "previews",
  dueAt: "claimed_until",
  afterSeconds: abandonedSeconds,
});
