import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import type { Item } from "#contract/responses.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { App } from "#gateway/http/app.ts";
import { asSenderOf } from "#gateway/http/inner-request.ts";
import { isRecord, parsed, recordOf, textOf } from "#gateway/providers/http/read-body.ts";
import { readEvents } from "#gateway/providers/http/sse.ts";
import { thoughtsIncluded } from "./request.ts";
import { UnstoredConversations } from "./unstored.ts";

/** How many requests may wait for the one that runs. */
const mostWaiting = 8;
/** A client that lets more than this pile up unread is cut off, in bytes. */
const mostUnread = 16_000_000;
const pingMs = 30_000;

/** Closes a connection after what runs on it; a client that does not answer is cut off. */
export type Finish = () => Promise<void>;
const goodbyeMs = 1_000;
const goingAway = 1001;

/**
 * Responses over one WebSocket, one after the other: each `response.create` runs as `POST /responses` with all of its checks, and its
 * events are the messages that come back. The conversations of responses that are not stored are kept in memory while the
 * connection is open, so that the next message can continue them.
 */
export function serveSocket(
  app: App,
  socket: WebSocket,
  request: FastifyRequest,
  finishing: Set<Finish>,
): void {
  const unstored = new UnstoredConversations();
  const closed = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isAlive = true;
  let isEnding = false;
  const ping = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingMs);
  socket.on("pong", () => {
    isAlive = true;
  });
  const finish: Finish = async () => {
    isEnding = true;
    await running;
    socket.close(goingAway);
    const cutOff = setTimeout(() => socket.terminate(), goodbyeMs);
    socket.once("close", () => clearTimeout(cutOff));
  };
  finishing.add(finish);
  socket.on("close", () => {
    finishing.delete(finish);
    clearInterval(ping);
    closed.abort();
  });
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  const refuse = (error: ApiError) =>
    send({ type: "error", status: error.status, error: error.body(request.id).error });

  socket.on("message", (data) => {
    const message = parsed(String(data));
    if (!isRecord(message) || message.type !== "response.create")
      return refuse(
        new ApiError("invalid_parameter", "Each message is JSON with the type response.create.", {
          param: "type",
        }),
      );
    if (isEnding)
      return refuse(new ApiError("service_unavailable", "This process is stopping. Connect again."));
    if (waiting >= mostWaiting)
      return refuse(
        new ApiError(
          "concurrency_limit_exceeded",
          `${mostWaiting} requests already wait on this connection.`,
          {
            retryAfterSeconds: 1,
          },
        ),
      );
    waiting += 1;
    running = running
      .then(() => run(message))
      .catch((error: unknown) => {
        if (closed.signal.aborted) return;
        request.log.error({ err: error }, "a response over a WebSocket failed");
        refuse(new ApiError("internal_error", "Something failed on our side."));
      })
      .finally(() => {
        waiting -= 1;
      });
  });

  async function run({ type: _, ...asked }: Record<string, unknown>): Promise<void> {
    if (closed.signal.aborted) return;
    const previous = textOf(asked.previous_response_id);
    const before = previous === null ? undefined : unstored.find(previous);
    const input = itemsOf(asked.input);
    // The conversation of a response that is not stored is sent again as a whole.
    const { previous_response_id: __, ...alone } = asked;
    const include = Array.isArray(asked.include) ? asked.include : [];
    const body = {
      ...(before ? { ...alone, input: [...before, ...input] } : asked),
      ...(asked.store === false && { include: [...include, thoughtsIncluded] }),
      stream: true,
    };
    const { headers, ...sender } = asSenderOf(request);
    const answer = await app.inject({
      method: "POST",
      url: "/v1/responses",
      headers: { ...headers, "content-type": "application/json" },
      payload: body,
      payloadAsStream: true,
      signal: closed.signal,
      ...sender,
    });
    let done: Record<string, unknown> | null = null;
    if (String(answer.headers["content-type"]).startsWith("text/event-stream"))
      for await (const data of readEvents(answer.stream())) {
        const event = parsed(data);
        if (!isRecord(event)) continue;
        const { response } = event;
        if (isRecord(response)) {
          if (before) response.previous_response_id = previous;
          if (event.type === "response.completed" || event.type === "response.incomplete") done = response;
        }
        send(event);
        if (socket.bufferedAmount > mostUnread) return socket.terminate();
      }
    else {
      const chunks: Buffer[] = [];
      for await (const chunk of answer.stream()) chunks.push(chunk as Buffer);
      const { error } = recordOf(parsed(Buffer.concat(chunks).toString("utf8")));
      send({ type: "error", status: answer.statusCode, error });
    }
    if (done === null && previous !== null) unstored.drop(previous);
    if (done !== null && asked.store === false)
      unstored.keep(String(done.id), [...(before ?? []), ...input, ...(done.output as Item[])]);
  }
}

function itemsOf(input: unknown): Item[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) ? input.filter(isRecord) : [];
}
