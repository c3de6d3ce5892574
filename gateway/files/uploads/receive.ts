import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { assertNotSuspended } from "#gateway/access/accounts/suspension.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { type Spooled, spool, TooManyBytesError } from "#gateway/files/storage/scratch.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { multipartFailure } from "#gateway/platform/http/errors.ts";
import { type UploadRow, uploadNotFound } from "./read.ts";

/** A transfer that started in time may take this long before its upload counts as abandoned. */
const longestTransferMs = 3_600_000;

/** A sender that is silent for this long is disconnected; it may PUT again. */
const longestSilenceMs = 60_000;

export class StalledSenderError extends Error {}

/**
 * Receives the bytes of a pending upload; the caller has checked the signature, which includes length and
 * type. After an interrupted transfer the upload stays pending, with the full time for a retry. Of two
 * concurrent transfers the first to finish wins; the other gets 409 and its bytes are removed.
 */
export async function receiveUpload(
  context: FilesContext,
  id: string,
  body: Readable,
  silenceMs = longestSilenceMs,
): Promise<UploadRow> {
  // Each transfer has its own key, so that a late one can never replace verified bytes.
  const storageKey = `uploads/${id}/${randomBytes(8).toString("hex")}`;
  const row = await beginTransfer(context, id, storageKey);
  const { contentType, sizeBytes: maxBytes } = row;
  try {
    const bytes = withIdleTimeout(body, silenceMs);
    const stored = await context.store.put(storageKey, bytes, { contentType, maxBytes });
    if (stored.sizeBytes !== row.sizeBytes) throw wrongLength(row);
    return await acceptBytes(context, id, storageKey, stored.sha256);
  } catch (error) {
    await abandonTransfer(context, id, storageKey).catch((cause) =>
      context.log.warn({ err: cause }, `bytes of ${id} could not be removed; they stay until it expires`),
    );
    throw error;
  }
}

/**
 * The bytes of `body`, which is destroyed together with its connection if none arrive for `idleMs`. Only the
 * wait for the sender counts, not the time that the reader needs.
 */
export function withIdleTimeout(body: Readable, idleMs: number): Readable {
  return Readable.from(chunksInTime(body, idleMs), { objectMode: false });
}

async function* chunksInTime(body: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const giveUp = () => body.destroy(new StalledSenderError(`no bytes arrived for ${idleMs} ms`));
  let timer = setTimeout(giveUp, idleMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(giveUp, idleMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes an object the content of a pending upload; only the first transfer to finish succeeds. Throws
 * `upload_already_received`.
 */
export async function acceptBytes(
  context: FilesContext,
  id: string,
  storageKey: string,
  sha256: string | null,
): Promise<UploadRow> {
  return context.database.transaction(async (queries) => {
    const [present] = await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
    if (present?.status !== "pending") throw present ? notPending(present) : uploadNotFound(id);
    await removeObjects(context, present, storageKey);
    const now = clock.date();
    const [row] = await queries
      .update(uploads)
      .set({
        status: "uploaded",
        storageKey,
        sha256,
        uploadedAt: now,
        objectExpiresAt: new Date(now.getTime() + context.retention.of(present.accountId)),
      })
      .where(eq(uploads.id, id))
      .returning();
    if (!row) throw uploadNotFound(id);
    return row;
  });
}

/** Removes every object listed in the row, except `kept`. */
export async function removeObjects(
  context: FilesContext,
  { storageKey }: Pick<UploadRow, "storageKey">,
  kept?: string,
): Promise<void> {
  await context.store.delete(keysIn(storageKey).filter((key) => key !== kept));
}

/** The keys in a `storage_key`. */
export function keysIn(storageKey: string | null): string[] {
  return storageKey?.split(" ") ?? [];
}

export function notPending(row: UploadRow): ApiError {
  if (row.status === "expired")
    return new ApiError("signature_expired", "This upload has expired. Create a new one.");
  return new ApiError(
    "upload_already_received",
    `The bytes of ${row.id} were already received. Create a new upload.`,
  );
}

/** Records the object key in the row before any bytes are stored. Concurrent transfers each have their own key. */
async function beginTransfer(context: FilesContext, id: string, storageKey: string): Promise<UploadRow> {
  return context.database.transaction(async (queries) => {
    const [row] = await queries
      .update(uploads)
      .set({ urlExpiresAt: new Date(clock.now() + longestTransferMs), storageKey: withKey(storageKey) })
      .where(and(eq(uploads.id, id), eq(uploads.status, "pending")))
      .returning();
    if (row) {
      await assertNotSuspended(queries, row.accountId);
      if (row.storageKey !== storageKey) await context.storageLimit.assertWithin(queries, row.accountId);
      return row;
    }
    const [present] = await queries.select().from(uploads).where(eq(uploads.id, id));
    throw present ? notPending(present) : uploadNotFound(id);
  });
}

/*
 * While an upload is pending, its `storage_key` contains the keys of the running transfers, separated by
 * spaces, so that the bytes of a process that died can be found. Afterwards it is the key of the accepted
 * bytes.
 */

export function withKey(key: string): SQL {
  return sql`concat_ws(' ', ${uploads.storageKey}, ${key}::text)`;
}

/** Removes the bytes of a failed transfer. If that also fails, the key stays in the row for the sweep. */
async function abandonTransfer(context: FilesContext, id: string, storageKey: string): Promise<void> {
  await context.database.transaction(async (queries) => {
    const [row] = await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
    // The bytes were accepted, and only the database's confirmation was lost.
    if (row && row.status !== "pending" && row.storageKey === storageKey) return;
    await context.store.delete([storageKey]);
    if (row?.status !== "pending") return;
    const urlExpiresAt = new Date(clock.now() + context.config.uploadUrlTtlMs);
    await queries
      .update(uploads)
      .set({ urlExpiresAt, storageKey: withoutKey(storageKey) })
      .where(eq(uploads.id, id));
  });
}

function withoutKey(key: string): SQL {
  return sql`nullif(array_to_string(array_remove(string_to_array(${uploads.storageKey}, ' '), ${key}), ' '), '')`;
}

function wrongLength(row: UploadRow): ApiError {
  return invalidParameter("size_bytes", `Exactly ${row.sizeBytes} bytes were announced.`);
}

/** Enough parts for a file and a few text fields. */
const maxParts = 8;
const fieldBytes = 100_000;

export interface FirstFile extends Spooled {
  filename: string;
  /** The type declared by the sender. */
  declared: string;
  /** The requested texts, by the names of their parts. */
  texts: ReadonlyMap<string, string>;
}

/**
 * The first file of a multipart body, stored in `directory`, and the texts named in `asked`, which may follow
 * the file; `named`: the part that errors mention; `orText`: a part that may be a text instead. Throws `upload_too_large`, `missing_parameter`,
 * `malformed_request`.
 */
export async function firstFile(
  request: FastifyRequest,
  directory: string,
  maxBytes: number,
  named: "content" | "file",
  { asked = [], orText }: { asked?: readonly string[]; orText?: { name: string; maxBytes: number } } = {},
): Promise<FirstFile> {
  const fieldSize = orText?.maxBytes ?? fieldBytes;
  const limits = { fileSize: Number.MAX_SAFE_INTEGER, fieldSize, parts: maxParts };
  const texts = new Map<string, string>();
  let found: FirstFile | null = null;
  try {
    for await (const part of request.parts({ limits })) {
      const isText = part.fieldname === orText?.name;
      if (part.type === "field" && isText) {
        if (part.valueTruncated) throw new TooManyBytesError(fieldSize);
        const spooled = await spool(Buffer.from(String(part.value)), directory);
        return { ...spooled, filename: part.fieldname, declared: part.mimetype, texts };
      }
      if (part.type === "field") {
        if (asked.includes(part.fieldname)) texts.set(part.fieldname, String(part.value));
      } else if (found || !(isText || part.fieldname === "content" || part.fieldname === "file")) {
        part.file.resume();
      } else {
        const spooled = await spool(part.file, directory, maxBytes);
        found = { ...spooled, filename: part.filename, declared: part.mimetype, texts };
        // Nothing after the file is read, because the caller wants no texts.
        if (asked.length === 0) break;
      }
    }
    if (found) return found;
  } catch (error) {
    if (error instanceof TooManyBytesError)
      throw new ApiError(
        "upload_too_large",
        `A file can have at most ${error.maxBytes} bytes. Send a smaller one.`,
        { param: error.maxBytes === orText?.maxBytes ? orText.name : named },
      );
    throw multipartFailure(error);
  }
  throw new ApiError("missing_parameter", `The body has no file in a part named ${named}.`, {
    param: named,
  });
}
