import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/** The bytes that were read are not those that were stored. */
export class BytesDifferError extends Error {}

/**
 * Passes bytes on, and their last ones only when all together have this hash: a request with a length cannot be completed by
 * other bytes.
 */
export function verified(sha256: string): Transform {
  const hash = createHash("sha256");
  let last: Buffer | null = null;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      const passed = last;
      last = chunk;
      done(null, passed);
    },
    flush(done) {
      if (hash.digest("hex") === sha256) done(null, last);
      else done(new BytesDifferError("The stored file has other bytes than when it was made"));
    },
  });
}
