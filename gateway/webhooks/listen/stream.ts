import type { FastifyReply, FastifyRequest } from "fastify";
import { isId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { whenClosed } from "#gateway/http/when-closed.ts";
import { eventsChannel } from "../events.ts";
import { NewEvents } from "./new-events.ts";
import { isStillAllowed } from "./still-allowed.ts";

const keepaliveMs = 15_000;
/** A lost NOTIFY costs at most this, and so does a credential that was revoked. */
const lookMs = 3000;

/** `GET /webhooks/listen`: the account's events from now on, or after `Last-Event-ID`, as server-sent events. */
export function listenRoute(app: App, context: Context): void {
  const streams = new Set<AbortController>();
  // A server that closes waits for its answers, and these have no end of their own.
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.abort();
  });
  app.get("/webhooks/listen", { config: { scope: "webhooks", extension: true } }, async (request, reply) => {
    const stream = new AbortController();
    streams.add(stream);
    try {
      await streamEvents(context, request, reply, stream);
    } finally {
      streams.delete(stream);
    }
  });
}

async function streamEvents(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  stream: AbortController,
): Promise<void> {
  const actor = actorOf(request);
  const lastId = request.headers["last-event-id"] ?? null;
  if (lastId !== null && !isId("event", lastId))
    throw new ApiError("invalid_cursor", "Last-Event-ID must be the id of an event.", {
      param: "Last-Event-ID",
    });
  const events = new NewEvents(actor.accountId, lastId);
  const { database, log } = context;
  const bell = createBell(stream.signal);
  const stopListening = await database.listen(eventsChannel, (accountId) => {
    if (accountId === actor.accountId || accountId === "") bell.ring();
  });
  reply.headers({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  const { raw } = reply;
  whenClosed(raw, () => stream.abort());
  raw.writeHead(200, headers);
  raw.write(": listening\n\n");
  const keepalive = setInterval(() => raw.write(": keepalive\n\n"), keepaliveMs);
  const look = setInterval(() => bell.ring(), lookMs);
  try {
    while (!stream.signal.aborted) {
      if (!(await isStillAllowed(database.queries, actor))) break;
      for (const event of await events.read(database.queries))
        raw.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.body}\n\n`);
      await bell.rung();
    }
  } catch (error) {
    // The listener connects again with the last id that it saw.
    log.warn({ err: error }, "webhooks: an event stream ended");
  } finally {
    stopListening();
    clearInterval(keepalive);
    clearInterval(look);
    raw.end();
  }
}

/** Lets a loop sleep until something happens, also what happened while it was busy. */
function createBell(signal: AbortSignal) {
  let wake: (() => void) | null = null;
  let isRung = false;
  const ring = () => {
    isRung = true;
    wake?.();
  };
  signal.addEventListener("abort", ring, { once: true });
  return {
    ring,
    async rung(): Promise<void> {
      if (!isRung)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isRung = false;
      wake = null;
    },
  };
}
