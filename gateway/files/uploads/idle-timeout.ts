import { Readable } from "node:stream";

export class StalledSenderError extends Error {}

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
