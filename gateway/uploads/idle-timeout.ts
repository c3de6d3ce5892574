import { Readable } from "node:stream";

export class StalledSenderError extends Error {}

/**
 * The bytes of `body`, which is destroyed, its connection with it, when none come for `idleMs`. Only the wait for the
 * sender counts, not what the reader does with a chunk.
 */
export function withIdleTimeout(body: Readable, idleMs: number): Readable {
  return Readable.from(chunksInTime(body, idleMs), { objectMode: false });
}

async function* chunksInTime(body: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const giveUp = () => body.destroy(new StalledSenderError(`no bytes came for ${idleMs} ms`));
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
