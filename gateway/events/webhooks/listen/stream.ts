import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { listenRoutes } from "#contract/routes/webhooks.ts";
import type { EventsContext } from "#gateway/events/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, gt, isNotNull, isNull } from "#gateway/platform/database/drizzle.ts";
import { webhookEvents } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { drained, openEventStream, unbuffered } from "#gateway/platform/http/event-stream.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { whenClosed } from "#gateway/platform/http/when-closed.ts";
import { eventsChannel } from "../events.ts";
import { shownEvents } from "../feed.ts";
import { idFloor, isEventId, lateFloor, SeenEvents } from "./seen-events.ts";

/** The longest delay if a NOTIFY is lost. */
const lookMs = 3000;
const { permission } = listenRoutes["GET /webhooks/listen"];

interface Limits {
  /** The stream of a client that reads nothing for this long is closed. */
  stalledMs: number;
  /** How long a request waits for an unavailable database. */
  databaseMs: number;
}

const usualLimits: Limits = { stalledMs: 30_000, databaseMs: 10_000 };

/** `GET /webhooks/listen`: the account's events from now on, or after `Last-Event-ID`, as server-sent events. */
export function installListen(app: App, context: EventsContext, limits = usualLimits): void {
  const streams = new Set<AbortController>();
  const endAll = () => {
    for (const stream of streams) stream.abort();
  };
  // Their readers connect to another process.
  context.drain.onBegin(endAll);
  // A server that closes waits until all answers have ended, and these streams would never end by themselves.
  app.addHook("preClose", async () => endAll());
  serve(app, context, listenRoutes, {
    "GET /webhooks/listen": async (request, reply) => {
      const stream = new AbortController();
      streams.add(stream);
      whenClosed(reply.raw, () => stream.abort());
      const stopWatching = context.credentials.watch(request.caller.actor, permission, () => stream.abort());
      try {
        await streamEvents(context, request, reply, { ...limits, signal: stream.signal });
      } finally {
        stopWatching();
        streams.delete(stream);
      }
    },
  });
}

async function streamEvents(
  context: EventsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { stalledMs, databaseMs, signal }: Limits & { signal: AbortSignal },
): Promise<void> {
  const { database, credentials, log } = context;
  const { actor } = request.caller;
  const lastId = lastEventId(request);
  const events = new NewEvents(actor.accountId, lastId);
  const wakeSignal = createWakeSignal(signal);
  const stopListening = await hearEvents(database, actor.accountId, wakeSignal.wake, {
    limitMs: databaseMs,
    signal,
  });
  const raw = openEventStream(reply, unbuffered);
  // The client sends this id when it reconnects, even if it has seen no event.
  raw.write(lastId === null ? `id: ${events.newest}\n\n` : ": listening\n\n");
  const look = setInterval(() => wakeSignal.wake(), lookMs);
  const isAllowed = () => credentials.isStillAllowed(actor, permission);
  const shown = async (body: string) => {
    const [seen] = await shownEvents(context, actor, [body]);
    return seen && seen.gated !== null ? JSON.stringify(seen.event) : body;
  };
  const client = { raw, isAllowed, shown, idleMs: stalledMs, signal };
  try {
    while (!signal.aborted && (await isAllowed())) {
      if (!(await sendNew(database.queries, events, client))) break;
      await wakeSignal.woken();
    }
  } catch (error) {
    // The client reconnects with the last id that it received.
    log.warn({ err: error }, "webhooks: an event stream ended");
  } finally {
    stopListening();
    clearInterval(look);
    // A graceful end would wait for a client that does not read.
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

interface Client {
  raw: ServerResponse;
  /** Whether the stream's credential is still accepted. */
  isAllowed: () => Promise<boolean>;
  /** The body of an event as this reader may see it. */
  shown: (body: string) => Promise<string>;
  idleMs: number;
  signal: AbortSignal;
}

/** Sends new events at the client's pace; returns false when the stream is over. */
async function sendNew(queries: Queries, events: NewEvents, client: Client): Promise<boolean> {
  for await (const { id, type, body } of events.read(queries)) {
    if (client.signal.aborted) return false;
    if (client.raw.write(`id: ${id}\nevent: ${type}\ndata: ${await client.shown(body)}\n\n`)) continue;
    if (!(await drained(client.raw, client))) return false;
    // Checked again, because sending to a slow client may have taken a while.
    if (!(await client.isAllowed())) return false;
  }
  return true;
}

interface StreamedEvent {
  id: string;
  type: string;
  body: string;
}

const pageSize = 100;

/** Reads an account's events as they appear: each once, without gaps. */
class NewEvents {
  private readonly accountId: string;
  private readonly seen: SeenEvents;

  /** Starts now, or slightly before event `lastId`, to include events that committed after it. */
  constructor(accountId: string, lastId: string | null) {
    this.accountId = accountId;
    this.seen =
      lastId === null ? new SeenEvents(idFloor(clock.now())) : new SeenEvents(lateFloor(lastId), lastId);
  }

  /** The id from which a later stream can continue without gaps. */
  get newest(): string {
    return this.seen.newest;
  }

  /** New events, read page by page as the caller consumes them. */
  async *read(queries: Queries): AsyncGenerator<StreamedEvent> {
    let after = this.seen.floor;
    for (;;) {
      const rows = await queries
        .select({ id: webhookEvents.id, type: webhookEvents.type, body: webhookEvents.body })
        .from(webhookEvents)
        .where(
          and(
            eq(webhookEvents.accountId, this.accountId),
            gt(webhookEvents.id, after),
            isNotNull(webhookEvents.body),
            isNull(webhookEvents.receiver),
          ),
        )
        .orderBy(asc(webhookEvents.id))
        .limit(pageSize);
      for (const { id, type, body } of rows) {
        after = id;
        if (body !== null && this.seen.add(id)) yield { id, type, body };
      }
      if (rows.length < pageSize) return;
    }
  }
}

/**
 * Calls back when the account has new events, until the returned function is called. The database may be
 * unavailable for a long time: throws `service_unavailable` after `limitMs`, or when the signal aborts.
 */
async function hearEvents(
  database: Database,
  accountId: string,
  heard: () => void,
  { limitMs, signal }: { limitMs: number; signal: AbortSignal },
): Promise<() => void> {
  const listening = database.listen(eventsChannel, (notified) => {
    if (notified === accountId || notified === "") heard();
  });
  const over = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const stop = await Promise.race([listening, aborted(over)]);
  if (stop) return stop;
  listening.then(
    (stop) => stop(),
    () => {},
  );
  throw new ApiError("service_unavailable", "Events cannot be read right now. Try again in a moment.");
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

/** Lets a loop sleep until something happens; events that happened while it was busy wake it at once. */
function createWakeSignal(signal: AbortSignal) {
  let resume: (() => void) | null = null;
  let isWoken = false;
  const wakeUp = () => {
    isWoken = true;
    resume?.();
  };
  signal.addEventListener("abort", wakeUp, { once: true });
  return {
    wake: wakeUp,
    async woken(): Promise<void> {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      isWoken = false;
      resume = null;
    },
  };
}
