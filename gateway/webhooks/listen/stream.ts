import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "#gateway/context.ts";
import type { Queries } from "#gateway/database/database.ts";
import type { Actor } from "#gateway/http/actor.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import type { App } from "#gateway/http/app.ts";
import { actorOf } from "#gateway/http/authenticate.ts";
import { drained } from "#gateway/http/drained.ts";
import { whenClosed } from "#gateway/http/when-closed.ts";
import { createBell } from "./bell.ts";
import { isEventId } from "./event-ids.ts";
import { hearEvents } from "./hear-events.ts";
import { NewEvents } from "./new-events.ts";
import { isStillAllowed } from "./still-allowed.ts";

const keepaliveMs = 15_000;
/** A lost NOTIFY costs at most this, and so does a credential that was revoked. */
const lookMs = 3000;

interface Limits {
  /** A client that reads nothing for this long has lost its stream. */
  stalledMs: number;
  /** How long a request waits for a database that is away. */
  databaseMs: number;
}

const usualLimits: Limits = { stalledMs: 30_000, databaseMs: 10_000 };

/** `GET /webhooks/listen`: the account's events from now on, or after `Last-Event-ID`, as server-sent events. */
export function listenRoute(app: App, context: Context, limits = usualLimits): void {
  const streams = new Set<AbortController>();
  // A server that closes waits for its answers, and these have no end of their own.
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.abort();
  });
  app.get("/webhooks/listen", { config: { scope: "webhooks", extension: true } }, async (request, reply) => {
    const stream = new AbortController();
    streams.add(stream);
    whenClosed(reply.raw, () => stream.abort());
    try {
      await streamEvents(context, request, reply, { ...limits, signal: stream.signal });
    } finally {
      streams.delete(stream);
    }
  });
}

async function streamEvents(
  { database, log }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { stalledMs, databaseMs, signal }: Limits & { signal: AbortSignal },
): Promise<void> {
  const actor = actorOf(request);
  const lastId = lastEventId(request);
  const events = new NewEvents(actor.accountId, lastId);
  const bell = createBell(signal);
  const stopListening = await hearEvents(database, actor.accountId, bell.ring, {
    limitMs: databaseMs,
    signal,
  });
  const raw = openStream(reply);
  // What the client sends when it comes again, also when it saw no event before.
  raw.write(lastId === null ? `id: ${events.newest}\n\n` : ": listening\n\n");
  const keepalive = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(": keepalive\n\n");
  }, keepaliveMs);
  const look = setInterval(() => bell.ring(), lookMs);
  const client = { raw, actor, idleMs: stalledMs, signal };
  try {
    while (!signal.aborted && (await isStillAllowed(database.queries, actor))) {
      if (!(await sendNew(database.queries, events, client))) break;
      await bell.rung();
    }
  } catch (error) {
    // The listener connects again with the last id that it saw.
    log.warn({ err: error }, "webhooks: an event stream ended");
  } finally {
    stopListening();
    clearInterval(keepalive);
    clearInterval(look);
    // An orderly end would wait for a client that does not read.
    if (raw.writableNeedDrain) raw.destroy();
    else raw.end();
  }
}

/** Throws `invalid_cursor`. */
function lastEventId(request: FastifyRequest): string | null {
  const lastId = request.headers["last-event-id"];
  if (lastId === undefined) return null;
  if (isEventId(lastId)) return lastId;
  throw new ApiError("invalid_cursor", "Last-Event-ID must be the id of an event.", {
    param: "Last-Event-ID",
  });
}

function openStream(reply: FastifyReply): ServerResponse {
  reply.headers({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  reply.raw.writeHead(200, headers);
  return reply.raw;
}

interface Client {
  raw: ServerResponse;
  actor: Actor;
  idleMs: number;
  signal: AbortSignal;
}

/** Sends what is new at the pace of the client; false when the stream is over. */
async function sendNew(queries: Queries, events: NewEvents, client: Client): Promise<boolean> {
  for await (const { id, type, body } of events.read(queries)) {
    if (client.signal.aborted) return false;
    if (client.raw.write(`id: ${id}\nevent: ${type}\ndata: ${body}\n\n`)) continue;
    if (!(await drained(client.raw, client))) return false;
    // A slow client may have taken its time.
    if (!(await isStillAllowed(queries, client.actor))) return false;
  }
  return true;
}
