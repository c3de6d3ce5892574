import { randomBytes } from "node:crypto";
import { uploadPartBytes } from "#contract/upload-constants.ts";
import { assertNotSuspended } from "#gateway/access/accounts/suspension.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { uploads, uploadTransfers } from "#gateway/platform/database/schema.ts";
import { type UploadRow, uploadNotFound } from "../read.ts";
import { notPending, withKey } from "../receive.ts";

/** A writer that has not renewed its lease for this long counts as dead, and another one may continue. */
const writerLeaseMs = 15_000;
const retryAfterSeconds = 3;

/** The only sender of an upload in parts, while it holds its lease. */
export interface Writer {
  id: string;
  accountId: string;
  contentType: string;
  sizeBytes: number;
  /** Stored bytes. */
  offset: number;
  key: string;
  multipartId: string;
  partBytes: number;
  tailKey: string | null;
  epoch: number;
}

/**
 * Another sender is sending this upload now, or has sent more than this one expects: `offset` is the number
 * of stored bytes.
 */
export class OffsetError extends ApiError {
  readonly offset: number;

  constructor(code: "upload_locked" | "upload_offset_mismatch", message: string, offset: number) {
    super(code, message, code === "upload_locked" ? { retryAfterSeconds } : {});
    this.offset = offset;
  }
}

/**
 * Runs `work` as the only writer of a pending upload with `offset` stored bytes (null: any number). Throws
 * `upload_locked`, `upload_offset_mismatch`, `upload_not_found`, `upload_already_received`,
 * `storage_limit_exceeded`.
 */
export async function asWriter<Result>(
  context: FilesContext,
  id: string,
  offset: number | null,
  work: (writer: Writer) => Promise<Result>,
): Promise<Result> {
  const taken = await context.database.transaction((queries) => takeLease(context, queries, id, offset));
  const renewal = setInterval(() => {
    renew(context.database.queries, taken, writerLeaseMs).catch((error) =>
      context.log.warn({ err: error }, `the lease of ${id} could not be renewed, will retry`),
    );
  }, writerLeaseMs / 3);
  try {
    return await work({ ...taken, multipartId: taken.multipartId ?? (await beginObject(context, taken)) });
  } finally {
    clearInterval(renewal);
    await renew(context.database.queries, taken, 0).catch((error) =>
      context.log.warn({ err: error }, `the lease of ${id} could not be ended; it runs out by itself`),
    );
  }
}

/** Matches only this writer's own row, because another one may have taken over. */
export function writerRow({ id, epoch }: Pick<Writer, "id" | "epoch">) {
  return and(eq(uploadTransfers.uploadId, id), eq(uploadTransfers.epoch, epoch));
}

/** Whether this writer still holds the upload; renews its lease. */
export function stillWrites({ database }: FilesContext, writer: Writer): Promise<boolean> {
  return renew(database.queries, writer, writerLeaseMs);
}

export function lostTurn(offset: number): OffsetError {
  return new OffsetError(
    "upload_locked",
    "Another request has continued this upload. Request the offset again (HEAD).",
    offset,
  );
}

type Taken = Omit<Writer, "multipartId"> & { multipartId: string | null; isFirst: boolean };

async function takeLease(
  context: FilesContext,
  queries: Queries,
  id: string,
  offset: number | null,
): Promise<Taken> {
  const [upload] = await queries.select().from(uploads).where(eq(uploads.id, id)).for("update");
  if (upload?.status !== "pending") throw upload ? notPending(upload) : uploadNotFound(id);
  await assertNotSuspended(queries, upload.accountId);
  const { receivedBytes } = upload;
  const leaseExpiresAt = new Date(clock.now() + writerLeaseMs);
  const [before] = await queries.select().from(uploadTransfers).where(eq(uploadTransfers.uploadId, id));
  if (before && before.leaseExpiresAt > clock.date())
    throw new OffsetError(
      "upload_locked",
      "Another request is sending this upload. When it has ended, request the offset again (HEAD).",
      receivedBytes,
    );
  if (offset !== null && offset !== receivedBytes)
    throw new OffsetError(
      "upload_offset_mismatch",
      `Upload-Offset must be ${receivedBytes}, the number of bytes stored so far.`,
      receivedBytes,
    );
  if (before) {
    const epoch = before.epoch + 1;
    await queries
      .update(uploadTransfers)
      .set({ epoch, leaseExpiresAt })
      .where(eq(uploadTransfers.uploadId, id));
    return { ...writerOf(upload), ...before, id, epoch, isFirst: false };
  }
  const first = {
    uploadId: id,
    accountId: upload.accountId,
    key: `uploads/${id}/${randomBytes(8).toString("hex")}`,
    multipartId: null,
    partBytes: uploadPartBytes,
    tailKey: null,
    epoch: 1,
    leaseExpiresAt,
  };
  await queries.insert(uploadTransfers).values(first);
  await queries
    .update(uploads)
    .set({ storageKey: withKey(first.key) })
    .where(eq(uploads.id, id));
  // A running PUT of the same upload stores the bytes a second time, so the limit is checked again.
  if (upload.storageKey !== null) await context.storageLimit.assertWithin(queries, upload.accountId);
  return { ...writerOf(upload), ...first, isFirst: true };
}

function writerOf({ id, accountId, contentType, sizeBytes, receivedBytes: offset }: UploadRow) {
  return { id, accountId, contentType, sizeBytes, offset };
}

/** Returns false if another writer has taken over, or the upload is no longer sent in parts. */
async function renew(queries: Queries, writer: Pick<Writer, "id" | "epoch">, ms: number): Promise<boolean> {
  const { rowCount } = await queries
    .update(uploadTransfers)
    .set({ leaseExpiresAt: new Date(clock.now() + ms) })
    .where(writerRow(writer));
  return rowCount === 1;
}

/**
 * The object's key is already in the database. A writer that died here may have started the object without
 * recording its id.
 */
async function beginObject({ store, database }: FilesContext, taken: Taken): Promise<string> {
  const { key, contentType, isFirst, offset } = taken;
  if (!isFirst) await store.parts.abort(key, null);
  const multipartId = await store.parts.begin(key, contentType);
  const { rowCount } = await database.queries
    .update(uploadTransfers)
    .set({ multipartId })
    .where(writerRow(taken));
  if (rowCount === 1) return multipartId;
  await store.parts.abort(key, multipartId);
  throw lostTurn(offset);
}
