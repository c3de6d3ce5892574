import type { FastifyReply } from "fastify";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";

const keepaliveMs = 15_000;

/**
 * Server-sent events that stay silent while the caller's credential is valid. When it has ended, within a second, one event
 * `ended` is sent and the stream closes. It also closes, without that event, when this process ends: connect again.
 */
export function streamSessionEnd({ credentials, drain }: Context, reply: FastifyReply, actor: Actor): void {
  reply.headers({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
  });
  const headers = reply.getHeaders();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, headers as Record<string, string>);
  raw.write(": open\n\n");
  const stopWatching = credentials.watch(actor, null, () => raw.end("event: ended\ndata: {}\n\n"));
  const stopWaiting = drain.onBegin(() => raw.end());
  const keepalive = setInterval(() => raw.write(": keepalive\n\n"), keepaliveMs);
  whenClosed(raw, () => {
    stopWatching();
    stopWaiting();
    clearInterval(keepalive);
  });
}
