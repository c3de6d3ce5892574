import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app.ts";

/** Larger than any body that an operation accepts; a client that sends more may lose its answer. */
const maxDrainBytes = 100_000_000;
const maxDrainMs = 30_000;

/**
 * Answers a request at once even if its body was not read completely, then reads and drops the rest, up to a
 * limit, before the connection may close. Closing while bytes arrive resets the connection, and most clients
 * then lose the answer.
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

/**
 * Connections are closed only after this time, because a request that was already sent may still be arriving.
 */
const graceMs = 100;

/**
 * Closes connections without any request when the server closes. Browsers and connection pools open them in
 * advance; Node treats them as started requests and would wait for each.
 */
export function installUnusedConnections(app: App): void {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", (request) => unused.delete(request.socket));
  app.addHook("preClose", async () => {
    if (unused.size > 0) await sleep(graceMs);
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  });
}

/**
 * Waits until the client has read all written data. Returns false if it disconnected, if the signal aborts,
 * or if it read nothing for `idleMs`; every write restarts that time.
 */
export function drained(
  raw: ServerResponse,
  { idleMs, signal }: { idleMs: number; signal?: AbortSignal },
): Promise<boolean> {
  if (signal?.aborted || raw.destroyed) return Promise.resolve(false);
  // The answer to an inner request has no connection and never reports that it was read; the code that reads
  // it limits its size.
  if (!raw.writableNeedDrain || !(raw.socket instanceof Socket)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isDrained: boolean) => {
      raw.off("drain", read).off("close", lost).off("timeout", lost);
      signal?.removeEventListener("abort", lost);
      raw.setTimeout(0);
      resolve(isDrained);
    };
    const read = () => settle(true);
    const lost = () => settle(false);
    raw.once("drain", read).once("close", lost).once("timeout", lost);
    signal?.addEventListener("abort", lost);
    // A socket's timeout restarts whenever some of its buffered data was sent.
    raw.setTimeout(idleMs);
  });
}
