import type { Socket } from "node:net";
import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { Context } from "#gateway/context.ts";
import { parsed, readEvents, recordOf, textOf } from "#gateway/models/providers/http/read-body.ts";

import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { nextTurn } from "#gateway/platform/core/event-loop.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { sendInner } from "#gateway/platform/http/inner-request.ts";
import { countRefused } from "#gateway/platform/http/limits.ts";
import { thoughtsIncluded } from "./request.ts";
import { BytesByKey, type Turn, turnOf, UnstoredConversations } from "./unstored.ts";

/** Limits for messages that wait on one connection while a response is made. */
const maxWaiting = { messages: 8, bytes: 8_000_000 };
/** Bytes that may wait on all connections of one key in this process. */
const maxWaitingOfKeyBytes = 32_000_000;
/** The most bytes of unfinished messages on all connections of one key in this process. */
const maxUnfinishedOfKeyBytes = 32_000_000;
/** Each received piece counts as at least this many bytes, because its buffer takes them. */
const minPieceBytes = 256;
/** A control frame's head and mask, beside its data. */
const controlHeadBytes = 6;
/** A client that leaves more bytes than this unread is disconnected. */
const maxUnreadBytes = 16_000_000;
const pingMs = 30_000;

/** Closes a connection after its current work; a client that does not answer is disconnected. */
export type Finish = () => Promise<void>;
const goodbyeMs = 1_000;
const goingAway = 1001;
const tryAgainLater = 1013;

/**
 * All connections together are read for at most this long before other work gets a turn; a message of 4 MB
 * takes twice as long.
 */
const readingMs = 5;

const waitingByKey = new BytesByKey();
const unfinishedByKey = new BytesByKey();

/**
 * Serves responses over one WebSocket, one at a time: each message runs as the body of `POST /responses`,
 * with all of its checks and limits, and its events are sent back as messages. Messages are parsed only by
 * that inner request. Conversations of unstored responses are kept while the connection is open, so that the
 * next message can continue them.
 */
export function serveSocket(
  app: App,
  context: Context,
  socket: WebSocket,
  request: FastifyRequest,
  finishing: Set<Finish>,
): void {
  const actor = actorOf(request);
  const conversations = new UnstoredConversations(actor.id);
  const closed = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const waiting = { messages: 0, bytes: 0 };
  /** Received bytes of messages that are not complete yet. */
  let unfinishedBytes = 0;
  let isAlive = true;
  /** Why this connection runs no further message; null while it runs them. */
  let ending: string | null = null;
  const ping = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingMs);
  socket.on("pong", () => {
    isAlive = true;
  });
  request.raw.socket.on("data", onPiece);
  for (const name of ["ping", "pong"] as const)
    socket.on(name, ({ length }: Buffer) => setUnfinished(unfinishedBytes - length - controlHeadBytes));
  const finish: Finish = async () => {
    ending = "This process is stopping. Connect again.";
    await running;
    closeSoon(goingAway);
  };
  finishing.add(finish);
  readInTurns(socket, request.raw.socket);
  socket.on("close", () => {
    finishing.delete(finish);
    clearInterval(ping);
    setUnfinished(0);
    closed.abort();
    conversations.clear();
  });
  const send = (text: string) => {
    socket.send(text);
    if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
  };
  const tell = (error: ApiError) =>
    send(JSON.stringify({ type: "error", status: error.status, error: error.body(request.id).error }));
  /** A refused message counts towards the rate limit, like a refused request. */
  const refuse = (refusal: ApiError): Promise<void> =>
    countRefused(context, actor).then(
      () => tell(refusal),
      (error: unknown) => tell(error instanceof ApiError ? error : refusal),
    );

  socket.on("message", (data) => {
    const message = data as Buffer;
    setUnfinished(0);
    const refusal = ending
      ? new ApiError("service_unavailable", ending)
      : isRunning && refusalToWait(message.length);
    if (refusal) {
      void refuse(refusal);
      return;
    }
    isRunning = true;
    wait(1, message.length);
    running = running
      .then(() => {
        wait(-1, -message.length);
        return run(message);
      })
      .catch((error: unknown) => {
        if (closed.signal.aborted) return;
        request.log.error({ err: error }, "a response over a WebSocket failed");
        tell(new ApiError("internal_error", "Something failed on our side. Send the message again."));
      })
      .finally(() => {
        isRunning = waiting.messages > 0;
      });
  });

  function closeSoon(code: number): void {
    socket.close(code);
    const cutOff = setTimeout(() => socket.terminate(), goodbyeMs);
    socket.once("close", () => clearTimeout(cutOff));
  }

  /**
   * Counts a piece of a message. Closes the connection if its key now has too many unfinished bytes, so that
   * the key's other connections keep working.
   */
  function onPiece({ length }: Buffer): void {
    setUnfinished(unfinishedBytes + (unfinishedBytes === 0 ? length : Math.max(length, minPieceBytes)));
    if (unfinishedByKey.of(actor.id) <= maxUnfinishedOfKeyBytes) return;
    ending = `The unfinished messages on this key's connections would have more than ${maxUnfinishedOfKeyBytes} bytes. Connect again, and send fewer at the same time.`;
    setUnfinished(0);
    open.delete(socket);
    socket.pause();
    void refuse(new ApiError("concurrency_limit_exceeded", ending, { retryAfterSeconds: 1 })).finally(() =>
      closeSoon(tryAgainLater),
    );
  }

  function setUnfinished(bytes: number): void {
    const next = Math.max(0, bytes);
    unfinishedByKey.add(actor.id, next - unfinishedBytes);
    unfinishedBytes = next;
  }

  function wait(messages: number, bytes: number): void {
    waiting.messages += messages;
    waiting.bytes += bytes;
    waitingByKey.add(actor.id, bytes);
  }

  function refusalToWait(bytes: number): ApiError | null {
    const why =
      waiting.messages >= maxWaiting.messages
        ? `${maxWaiting.messages} messages already wait on this connection.`
        : waiting.bytes + bytes > maxWaiting.bytes
          ? `The messages that wait on this connection would have more than ${maxWaiting.bytes} bytes.`
          : waitingByKey.of(actor.id) + bytes > maxWaitingOfKeyBytes
            ? `The messages that wait on this key's connections would have more than ${maxWaitingOfKeyBytes} bytes.`
            : null;
    if (why === null) return null;
    return new ApiError(
      "concurrency_limit_exceeded",
      `${why} Send this message again after the next answer.`,
      { retryAfterSeconds: 1 },
    );
  }

  async function run(message: Buffer): Promise<void> {
    if (closed.signal.aborted) return;
    const turn: Turn = { conversations, previous: null, isAnswered: false };
    try {
      const answer = await sendInner(app, request, {
        method: "POST",
        url: "/v1/responses",
        headers: { "content-type": "application/json" },
        payload: message,
        payloadAsStream: true,
        left: closed.signal,
        kept: turn,
      });
      if (String(answer.headers["content-type"]).startsWith("text/event-stream"))
        for await (const event of readEvents(answer.stream(), maxUnreadBytes)) {
          if (event?.startsWith("{")) send(event); // Leaves out [DONE], the last event of a stream.
          if (closed.signal.aborted) return;
        }
      else {
        const chunks: Buffer[] = [];
        for await (const chunk of answer.stream()) chunks.push(chunk as Buffer);
        const { error } = recordOf(parsed(Buffer.concat(chunks).toString("utf8")));
        send(JSON.stringify({ type: "error", status: answer.statusCode, error }));
      }
    } finally {
      if (!turn.isAnswered && turn.previous !== null) conversations.drop(turn.previous);
    }
  }
}

/** All open connections, the least recently read first. */
const open = new Set<WebSocket>();
let spentMs = 0;
let isTurnAsked = false;

/**
 * Reads a connection in turn with all others. A message is unmasked byte by byte as soon as its last piece
 * has arrived: when many connections sent large messages at once, every other request waited for all of them
 * at each of its steps.
 */
function readInTurns(socket: WebSocket, connection: Socket): void {
  let since = 0;
  open.add(socket);
  socket.once("close", () => open.delete(socket));
  connection.prependListener("data", () => {
    since = performance.now();
  });
  connection.on("data", () => {
    spentMs += performance.now() - since;
    if (!isTurnAsked) void nextTurn().then(readAgain);
    isTurnAsked = true;
    if (spentMs < readingMs) return;
    if (open.delete(socket)) open.add(socket);
    for (const one of open) one.pause();
  });
}

function readAgain(): void {
  isTurnAsked = false;
  spentMs = 0;
  for (const one of open) one.resume();
}

/**
 * Turns a WebSocket message into the body of a response request. Throws `invalid_parameter` for a message of
 * another type.
 */
export function readMessage(request: FastifyRequest): void {
  const turn = turnOf(request);
  if (!turn) return;
  const { type, ...asked } = isRecord(request.body) ? request.body : {};
  if (type !== "response.create")
    throw invalidParameter("type", "Each message must be JSON with the type response.create.");
  turn.previous = textOf(asked.previous_response_id);
  const include = Array.isArray(asked.include) ? asked.include : [];
  request.body = {
    ...asked,
    ...(asked.store === false && { include: [...include, thoughtsIncluded] }),
    stream: true,
  };
}
