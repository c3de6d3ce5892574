import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { orStoreFull } from "./store-room.ts";

/** More bytes than allowed arrived; nothing was kept. */
export class TooManyBytesError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes arrived`);
    this.maxBytes = maxBytes;
  }
}

export interface Spooled {
  file: string;
  sizeBytes: number;
  sha256: string;
}

/**
 * Writes `body` to a new private file in `folder` and flushes it to disk, counting and hashing; removes it on
 * failure. Throws StoreFullError.
 */
export async function spool(
  body: Readable | Buffer,
  folder: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Spooled> {
  const file = path.join(folder, randomBytes(12).toString("hex"));
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) return done(new TooManyBytesError(maxBytes));
      hash.update(chunk);
      return done(null, chunk);
    },
  });
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body;
  try {
    await pipeline(source, meter, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
  } catch (error) {
    await rm(file, { force: true });
    throw orStoreFull(error);
  }
  return { file, sizeBytes, sha256: hash.digest("hex") };
}
