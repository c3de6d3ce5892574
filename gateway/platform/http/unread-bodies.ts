import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { App } from "./app.ts";

/** Larger than any body that an operation takes; a client that sends more may lose its answer. */
const maxDrainBytes = 100_000_000;
const maxDrainMs = 30_000;

/**
 * Answers a request whose body was not read to its end at once, then reads and drops the rest, up to a bound, before
 * the connection may close. Closing while bytes arrive resets the connection, and most clients then lose the answer.
 */
export function installUnreadBodies(app: App): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || !isStillSending(request.raw)) return done(null, payload);
    reply.header("content-length", Buffer.byteLength(payload));
    done(null, Readable.from(answerThenDrain(payload, request.raw)));
  });
}

function isStillSending(request: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  return !request.complete && !request.destroyed && (encoding !== undefined || Number(length) > 0);
}

async function* answerThenDrain(answer: string, body: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(answer);
  body.unpipe();
  const timer = setTimeout(() => body.destroy(), maxDrainMs);
  let dropped = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      dropped += chunk.length;
      // Leaving the loop closes the connection.
      if (dropped > maxDrainBytes) break;
    }
  } catch {
    // The client disconnected or was too slow.
  } finally {
    clearTimeout(timer);
  }
}
