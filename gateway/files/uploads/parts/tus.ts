import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { leastAppendBytes, uploadMaxBytes } from "#contract/upload-constants.ts";
import type { FilesContext } from "#gateway/files/context.ts";
import { PartsLostError } from "#gateway/files/storage/object-store.ts";
import { reserveFiles } from "#gateway/files/storage/remove-files.ts";
import { type Spooled, spool } from "#gateway/files/storage/scratch.ts";
import { verifySignature } from "#gateway/files/storage/signed-urls.ts";
import { allowAnyOrigin, answerPreflight } from "#gateway/files/storage/storage.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { uploads } from "#gateway/platform/database/schema.ts";
import { contentPath, receivedBytes, type UploadRow, uploadNotFound } from "../read.ts";
import { notPending, withIdleTimeout } from "../receive.ts";
import { normalizedType } from "../verify.ts";
import { finishReceived, finishUpload, isUnfinished, recordPart, removeLater, restart } from "./finish.ts";
import { asWriter, OffsetError, type Writer } from "./writer.ts";

/*
 * Resumable uploads with the tus 1.0 protocol (https://tus.io/protocols/resumable-upload), at an upload's
 * content URL: the core, and the extension "expiration". Creating, deleting and verifying uploads are routes
 * of this API.
 *
 * The server side is our own. @tus/server keeps its state in files or objects next to the upload and has its
 * locks in one process; here rows are written before anything is stored, the next part may arrive at another
 * process, and URLs are signed.
 */

const version = "1.0.0";
const offsetType = "application/offset+octet-stream";
const requestHeaders = ["tus-resumable", "upload-offset", "upload-length", "upload-metadata"];
const answerHeaders = [
  "tus-resumable",
  "tus-version",
  "tus-extension",
  "tus-max-size",
  "upload-offset",
  "upload-length",
  "upload-expires",
  "retry-after",
];
const decimal = /^\d{1,12}$/;

interface ContentRequest extends FastifyRequest {
  params: { id: string };
  query: { expires?: string; signature?: string };
}

/** The capabilities of this server, and the answer to browsers' preflights. */
export function answerOptions(reply: FastifyReply): FastifyReply {
  reply.headers({
    "tus-resumable": version,
    "tus-version": version,
    "tus-extension": "expiration",
    "tus-max-size": String(Math.max(...Object.values(uploadMaxBytes))),
  });
  return answerPreflight(reply, "PUT, HEAD, PATCH", { sent: requestHeaders, read: answerHeaders });
}

/** HEAD: the number of stored bytes. Throws `signature_invalid`, `signature_expired`, `upload_not_found`. */
export function answerOffset(context: FilesContext, request: ContentRequest, reply: FastifyReply) {
  return answering(request, reply, async () => {
    const { id } = request.params;
    verifyAddress(context, request);
    let row = await rowOf(context, id);
    if (isUnfinished(row)) {
      await finishReceived(context, id);
      row = await rowOf(context, id);
    }
    if (row.status === "expired") throw notPending(row);
    tellOffset(reply, receivedBytes(row));
    reply.headers({ "upload-length": String(row.sizeBytes), "cache-control": "no-store", ...expiry(row) });
    return reply.code(200).send();
  });
}

/** PATCH: appends the body. Throws as `answerOffset` and `appendToUpload`, and `unsupported_media_type`. */
export function answerAppend(context: FilesContext, request: ContentRequest, reply: FastifyReply) {
  return answering(request, reply, async () => {
    const { id } = request.params;
    verifyAddress(context, request);
    if (normalizedType(request.headers["content-type"] ?? "") !== offsetType)
      throw new ApiError("unsupported_media_type", `Send \`Content-Type: ${offsetType}\`.`);
    const offset = await appendToUpload(context, id, offsetOf(request), request.body as Readable);
    tellOffset(reply, offset);
    return reply
      .code(204)
      .headers(expiry(await rowOf(context, id)))
      .send();
  });
}

/**
 * Adds the headers that tus requires on every answer, errors included, and the offset if it is the reason for
 * a refusal.
 */
async function answering(
  request: ContentRequest,
  reply: FastifyReply,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  allowAnyOrigin(reply, answerHeaders).header("tus-resumable", version);
  if (request.headers["tus-resumable"] !== version) {
    reply.header("tus-version", version);
    throw new ApiError("tus_version_not_supported", `Send \`Tus-Resumable: ${version}\`.`);
  }
  try {
    return await answer();
  } catch (error) {
    if (error instanceof OffsetError) tellOffset(reply, error.offset);
    throw error;
  }
}

function tellOffset(reply: FastifyReply, offset: number): void {
  reply.header("upload-offset", String(offset));
}

/** When a pending upload is abandoned unless more of it arrives. */
function expiry({ status, urlExpiresAt }: UploadRow): Record<string, string> {
  return status === "pending" ? { "upload-expires": urlExpiresAt.toUTCString() } : {};
}

/** Checks the signature of the URL, which is the same for HEAD and PATCH. */
function verifyAddress(context: FilesContext, { params, query }: ContentRequest): void {
  verifySignature(context, { method: "PATCH", path: contentPath(params.id), query });
}

function offsetOf({ headers }: ContentRequest): number {
  const text = String(headers["upload-offset"] ?? "");
  if (!decimal.test(text))
    throw invalidParameter(
      "Upload-Offset",
      "Upload-Offset must be the number of bytes stored so far, where this request continues.",
    );
  return Number(text);
}

async function rowOf(context: FilesContext, id: string): Promise<UploadRow> {
  const [row] = await context.database.queries.select().from(uploads).where(eq(uploads.id, id));
  if (!row) throw uploadNotFound(id);
  return row;
}

/**
 * A sender that is silent for this long is disconnected: received bytes are stored, and it may continue with
 * another request.
 */
const longestSilenceMs = 20_000;

/**
 * Appends a body to a pending upload with `offset` stored bytes; returns the new number. Full parts are
 * stored as they arrive, the beginning of the next one when the body ends, even if its connection breaks:
 * bytes count as received only once stored. The last byte makes the upload `uploaded`. Throws as `asWriter`,
 * and `invalid_parameter`.
 */
export function appendToUpload(
  context: FilesContext,
  id: string,
  offset: number,
  body: Readable,
  silenceMs = longestSilenceMs,
): Promise<number> {
  return asWriter(context, id, offset, async (writer) => {
    const reader = new PartReader(body, silenceMs);
    try {
      await storeParts(context, writer, reader);
      if (writer.offset === writer.sizeBytes) await finishUpload(context, writer);
    } catch (error) {
      if (error instanceof PartsLostError) throw await restart(context, writer, error);
      throw error;
    }
    if (reader.brokenBy) throw reader.brokenBy;
    return writer.offset;
  });
}

async function storeParts(context: FilesContext, writer: Writer, reader: PartReader): Promise<void> {
  const begun = writer.offset;
  while (writer.offset < writer.sizeBytes) {
    const { offset, partBytes, sizeBytes } = writer;
    const tailBytes = offset % partBytes;
    const room = Math.min(partBytes - tailBytes, sizeBytes - offset);
    const part = await spool(
      Readable.from(joined(context, writer, reader.take(room)), { objectMode: false }),
      context.scratch.folder,
    );
    const added = part.sizeBytes - tailBytes;
    const isFull = added === room;
    const isLast = offset + added === sizeBytes;
    try {
      if (isLast && (await reader.hasMore())) throw tooMuch(writer);
      if (isFull) await storePart(context, writer, part);
      else if (offset + added - begun < leastAppendBytes) {
        if (!reader.brokenBy) throw tooLittle();
      } else if (added > 0) await storeTail(context, writer, part);
    } finally {
      await rm(part.file, { force: true });
    }
    if (!isFull) return;
  }
}

/** The stored beginning of the part, followed by the new bytes. */
async function* joined(
  { store }: FilesContext,
  { tailKey, offset, partBytes }: Writer,
  coming: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  if (offset % partBytes > 0) {
    const tail = tailKey === null ? null : await store.get(tailKey);
    if (tail?.sizeBytes !== offset % partBytes) {
      tail?.stream.destroy();
      throw new PartsLostError("the beginning of the part is gone");
    }
    yield* tail.stream as AsyncIterable<Buffer>;
  }
  yield* coming;
}

async function storePart(
  context: FilesContext,
  writer: Writer,
  { file, sizeBytes, sha256 }: Spooled,
): Promise<void> {
  const { key, multipartId: id, offset, partBytes } = writer;
  const number = Math.floor(offset / partBytes) + 1;
  const etag = await context.store.parts.put({ key, id }, number, { file, sizeBytes });
  await recordPart(context, writer, { number, sizeBytes, sha256, etag }, null);
}

function tooMuch({ sizeBytes }: Writer): ApiError {
  return invalidParameter("Content-Length", `Exactly ${sizeBytes} bytes were announced; more arrived.`);
}

function tooLittle(): ApiError {
  return invalidParameter(
    "Content-Length",
    `Send at least ${leastAppendBytes} bytes in a request, or the rest of the upload.`,
  );
}

/** Cuts a body into pieces of chosen lengths, holding at most one chunk. */
class PartReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private left: Buffer = Buffer.alloc(0);
  /** Why the body ended early: its connection broke, or its sender was silent for too long. */
  brokenBy: Error | null = null;

  constructor(body: Readable, silenceMs: number) {
    this.chunks = (withIdleTimeout(body, silenceMs) as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** The next bytes, at most `maxBytes`; a broken connection ends them like the end of the body. */
  async *take(maxBytes: number): AsyncGenerator<Buffer> {
    for (let wanted = maxBytes; wanted > 0; ) {
      if (this.left.length === 0 && !(await this.hasMore())) return;
      const chunk = this.left.subarray(0, wanted);
      this.left = this.left.subarray(chunk.length);
      wanted -= chunk.length;
      yield chunk;
    }
  }

  /** Waits for the next chunk. */
  async hasMore(): Promise<boolean> {
    while (this.left.length === 0 && this.brokenBy === null) {
      try {
        const next = await this.chunks.next();
        if (next.done) return false;
        this.left = next.value;
      } catch (error) {
        this.brokenBy = error as Error;
      }
    }
    return this.left.length > 0;
  }
}

/**
 * Stores the beginning of a part that is not full as a separate object, because S3 accepts no small parts. It
 * is reserved until it is recorded. The next request reads it again, so a body that breaks off costs at most
 * one part's length.
 */
async function storeTail(
  context: FilesContext,
  writer: Writer,
  { file, sizeBytes, sha256 }: Spooled,
): Promise<void> {
  const { id, accountId, contentType, offset, partBytes } = writer;
  const key = `uploads/${id}/tail-${randomBytes(8).toString("hex")}`;
  await reserveFiles(context.database.queries, { id: key, accountId, files: [{ key, sizeBytes }] });
  try {
    await context.store.put(key, createReadStream(file), { contentType });
    const number = Math.floor(offset / partBytes) + 1;
    await recordPart(context, writer, { number, sizeBytes, sha256, etag: null }, key);
  } catch (error) {
    // If only the confirmation was lost, the tail may have been recorded; then it is no longer reserved, and
    // stays.
    await removeLater(context, key);
    throw error;
  }
}
