import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { parsed, readEvents, recordOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { nextTurn } from "#gateway/platform/core/event-loop.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { sendInner } from "#gateway/platform/http/inner-request.ts";
import { countRefused } from "#gateway/platform/http/limits.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { thoughtsIncluded } from "./request.ts";
import { CountedBytes, type Turn, turnOf, UnstoredConversations } from "./unstored.ts";

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
/** A client that does not answer our goodbye within this time is disconnected. */
const goodbyeMs = 1_000;
const goingAway = 1001;
const tryAgainLater = 1013;

const waitingByKey = new Map<string, number>();
const unfinishedByKey = new Map<string, number>();

/**
 * Serves responses over one WebSocket, one at a time: each message runs as the body of `POST /responses`,
 * with all of its checks and limits, and its events are sent back as messages. Messages are parsed only by
 * that inner request. Conversations of unstored responses are kept while the connection is open, so that the
 * next message can continue them.
 */
export class Connection {
  readonly #app: App;
  readonly #context: RunsContext;
  readonly #socket: WebSocket;
  readonly #request: FastifyRequest;
  readonly #actor: Actor;
  readonly #conversations: UnstoredConversations;
  readonly #closed = new AbortController();
  /** Received bytes of messages that are not complete yet. */
  readonly #unfinished: CountedBytes;
  /** Bytes of messages that wait. */
  readonly #waiting: CountedBytes;
  /** Messages without an answer: one runs, the others wait. */
  #unanswered = 0;
  #running: Promise<void> = Promise.resolve();
  /** Why this connection runs no further message; null while it runs them. */
  #ending: string | null = null;

  constructor(app: App, context: RunsContext, socket: WebSocket, request: FastifyRequest) {
    this.#app = app;
    this.#context = context;
    this.#socket = socket;
    this.#request = request;
    this.#actor = request.caller.actor;
    this.#conversations = new UnstoredConversations(this.#actor.id);
    this.#unfinished = new CountedBytes(unfinishedByKey, this.#actor.id);
    this.#waiting = new CountedBytes(waitingByKey, this.#actor.id);
    pingOften(socket);
    request.raw.socket.on("data", ({ length }: Buffer) => this.#receivePiece(length));
    for (const name of ["ping", "pong"] as const)
      socket.on(name, ({ length }: Buffer) =>
        this.#unfinished.add(-Math.min(this.#unfinished.own, length + controlHeadBytes)),
      );
    readInTurns(socket, request.raw.socket);
    socket.on("message", (data) => this.#receive(data as Buffer));
    socket.on("close", () => {
      this.#unfinished.clear();
      this.#closed.abort();
      this.#conversations.clear();
    });
  }

  /**
   * Counts a piece of a message. Closes the connection if its key now has too many unfinished bytes, so that
   * the key's other connections keep working.
   */
  #receivePiece(bytes: number): void {
    this.#unfinished.add(this.#unfinished.own === 0 ? bytes : Math.max(bytes, minPieceBytes));
    if (this.#unfinished.ofKey <= maxUnfinishedOfKeyBytes) return;
    this.#ending = `The unfinished messages on this key's connections would have more than ${maxUnfinishedOfKeyBytes} bytes. Connect again, and send fewer at the same time.`;
    this.#unfinished.clear();
    open.delete(this.#socket);
    this.#socket.pause();
    const refusal = new ApiError("concurrency_limit_exceeded", this.#ending, { retryAfterSeconds: 1 });
    void this.#refuse(refusal).finally(() => this.#close(tryAgainLater));
  }

  #receive(message: Buffer): void {
    this.#unfinished.clear();
    const refusal = this.#refusal(message.length);
    if (refusal) {
      void this.#refuse(refusal);
      return;
    }
    this.#unanswered += 1;
    this.#waiting.add(message.length);
    this.#running = this.#running
      .then(() => {
        this.#waiting.add(-message.length);
        return this.#run(message);
      })
      .catch((error: unknown) => {
        if (this.#closed.signal.aborted) return;
        this.#request.log.error({ err: error }, "a response over a WebSocket failed");
        this.#tell(new ApiError("internal_error", "Something failed on our side. Send the message again."));
      })
      .finally(() => {
        this.#unanswered -= 1;
      });
  }

  /** Why a message can neither run nor wait; null if it can. */
  #refusal(bytes: number): ApiError | null {
    if (this.#ending) return new ApiError("service_unavailable", this.#ending);
    if (this.#unanswered === 0) return null;
    const why =
      this.#unanswered > maxWaiting.messages
        ? `${maxWaiting.messages} messages already wait on this connection.`
        : this.#waiting.own + bytes > maxWaiting.bytes
          ? `The messages that wait on this connection would have more than ${maxWaiting.bytes} bytes.`
          : this.#waiting.ofKey + bytes > maxWaitingOfKeyBytes
            ? `The messages that wait on this key's connections would have more than ${maxWaitingOfKeyBytes} bytes.`
            : null;
    if (why === null) return null;
    const message = `${why} Send this message again after the next answer.`;
    return new ApiError("concurrency_limit_exceeded", message, { retryAfterSeconds: 1 });
  }

  async #run(message: Buffer): Promise<void> {
    const left = this.#closed.signal;
    if (left.aborted) return;
    const turn: Turn = { conversations: this.#conversations, previous: null, isAnswered: false };
    try {
      const answer = await sendInner(this.#app, this.#request, {
        method: "POST",
        url: "/v1/responses",
        headers: { "content-type": "application/json" },
        payload: message,
        payloadAsStream: true,
        left,
        kept: turn,
      });
      if (String(answer.headers["content-type"]).startsWith("text/event-stream"))
        for await (const event of readEvents(answer.stream(), maxUnreadBytes)) {
          if (event?.startsWith("{")) this.#send(event); // Leaves out [DONE], the last event of a stream.
          if (left.aborted) return;
        }
      else {
        const { error } = recordOf(parsed(await text(answer.stream())));
        this.#send(JSON.stringify({ type: "error", status: answer.statusCode, error }));
      }
    } finally {
      if (!turn.isAnswered && turn.previous !== null) this.#conversations.drop(turn.previous);
    }
  }

  #send(event: string): void {
    this.#socket.send(event);
    if (this.#socket.bufferedAmount > maxUnreadBytes) this.#socket.terminate();
  }

  #tell(error: ApiError): void {
    const body = error.body(this.#request.id);
    this.#send(JSON.stringify({ type: "error", status: error.status, error: body.error }));
  }

  /** A refused message counts towards the rate limit, like a refused request. */
  #refuse(refusal: ApiError): Promise<void> {
    return countRefused(this.#context, this.#actor).then(
      () => this.#tell(refusal),
      (error: unknown) => this.#tell(error instanceof ApiError ? error : refusal),
    );
  }

  /** Answers what was received, then closes. */
  async finish(): Promise<void> {
    this.#ending = "This process is stopping. Connect again.";
    await this.#running;
    this.#close(goingAway);
  }

  #close(code: number): void {
    this.#socket.close(code);
    const cutOff = setTimeout(() => this.#socket.terminate(), goodbyeMs);
    this.#socket.once("close", () => clearTimeout(cutOff));
  }
}

const pingMs = 30_000;

/** Disconnects a client that does not answer a ping before the next one. */
function pingOften(socket: WebSocket): void {
  let isAlive = true;
  const pinging = setInterval(() => {
    if (isAlive) socket.ping();
    else socket.terminate();
    isAlive = false;
  }, pingMs);
  socket.on("pong", () => {
    isAlive = true;
  });
  socket.once("close", () => clearInterval(pinging));
}

/**
 * All connections together are read for at most this long before other work gets a turn; a message of 4 MB
 * takes twice as long.
 */
const readingMs = 5;

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
