import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { leastAppendBytes } from "#contract/upload-constants.ts";
import type { Context } from "#gateway/context.ts";
import { PartsLostError } from "#gateway/files/storage/object-store.ts";
import { type Spooled, spool } from "#gateway/files/storage/spool.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { finishUpload } from "./finish.ts";
import { PartReader } from "./part-reader.ts";
import { recordPart } from "./record-part.ts";
import { restart } from "./restart.ts";
import { storeTail } from "./tail.ts";
import { asWriter, type Writer } from "./writer.ts";

/** A sender that is silent for this long is disconnected: what came is stored, and it may go on with another request. */
const longestSilenceMs = 20_000;

/**
 * Appends a body to a pending upload, whose stored bytes end at `offset`, and returns where they end then. Full parts are stored
 * as they come, the beginning of the next one when the body ends, also where its connection breaks: what is not stored was not
 * received. The last byte makes the upload `uploaded`. Throws as `asWriter`, and `invalid_parameter`.
 */
export function appendToUpload(
  context: Context,
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

async function storeParts(context: Context, writer: Writer, reader: PartReader): Promise<void> {
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

/** The stored beginning of the part, and what comes now. */
async function* joined(
  { store }: Context,
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
  context: Context,
  writer: Writer,
  { file, sizeBytes, sha256 }: Spooled,
): Promise<void> {
  const { key, multipartId: id, offset, partBytes } = writer;
  const number = Math.floor(offset / partBytes) + 1;
  const etag = await context.store.parts.put({ key, id }, number, { file, sizeBytes });
  await recordPart(context, writer, { number, sizeBytes, sha256, etag }, null);
}

function tooMuch({ sizeBytes }: Writer): ApiError {
  return new ApiError("invalid_parameter", `Exactly ${sizeBytes} bytes were announced; more arrived.`, {
    param: "Content-Length",
  });
}

function tooLittle(): ApiError {
  return new ApiError(
    "invalid_parameter",
    `Send at least ${leastAppendBytes} bytes in a request, or the rest of the upload.`,
    { param: "Content-Length" },
  );
}
