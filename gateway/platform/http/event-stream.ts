import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import { whenClosed } from "./when-closed.ts";

/** A comment is sent this often, so that proxies keep a silent stream open. */
export const keepaliveMs = 15_000;

/** For streams whose readers wait for each event: proxies must not collect them. */
export const unbuffered = { "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" } as const;

/** Sends the head of a stream of server-sent events, and keeps it open until the caller ends it. */
export function openEventStream(reply: FastifyReply, headers: Record<string, string>): ServerResponse {
  reply.headers({ "content-type": "text/event-stream; charset=utf-8", ...headers });
  const sent = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, sent);
  const keepalive = setInterval(() => {
    // Skipped for a client that does not read: a write would restart its time-out.
    if (!raw.writableEnded && !raw.writableNeedDrain) raw.write(": keepalive\n\n");
  }, keepaliveMs);
  whenClosed(raw, () => clearInterval(keepalive));
  return raw;
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
