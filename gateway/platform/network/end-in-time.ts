import type { Readable } from "node:stream";

/** Destroys a body that has not been read to its end in time, with the error that `late` makes. */
export function endInTime(body: Readable, ms: number, late: () => Error): Readable {
  const timer = setTimeout(() => body.destroy(late()), ms);
  timer.unref();
  body.once("close", () => clearTimeout(timer));
  return body;
}
