import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { newId } from "#contract/ids.ts";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { App } from "./app.ts";
import { errorHeaders, toApiError } from "./errors.ts";

/** How long a client that is rejected while sending its headers may take to read the answer. */
const lingerMs = 5_000;

/** Answers a URL that the router cannot parse, before any hook runs, in the usual error shape. */
export function answerUnreadableUrl(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const apiError = toApiError(error);
  reply
    .code(apiError.status)
    .headers({ ...commonHeaders(request.id), ...errorHeaders(apiError) })
    .send(apiError.body(request.id));
}

/** The latest answer on each connection. */
const lastAnswers = new WeakMap<Socket, ServerResponse>();

/** Connections already refused: Node also reports every chunk after the invalid one. */
const refused = new WeakSet<Socket>();

/**
 * Answers requests that Node itself rejects: headers that are too large or too slow, and bytes that are not
 * HTTP. Logs only the kind of error, because the bytes may contain a credential.
 */
export function answerUnreadableRequest(
  log: PlatformContext["log"],
  code: string | undefined,
  socket: Socket,
): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  const last = lastAnswers.get(socket);
  const isAnswering = last?.headersSent && !last.writableFinished;
  if (code === "ECONNRESET" || !socket.writable || isAnswering) return void socket.destroy();
  const error = refusalOf(code);
  const requestId = newId("request");
  log.info({ request_id: requestId, status: error.status, code: error.code }, "unreadable request");
  socket.end(rawAnswer(error, requestId));
  // Closing at once would reset the connection of a client that is still sending, and the client would lose
  // the answer.
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}

/** Call it before adding other hooks. */
export function installBeforeRouting(app: App): void {
  // Without this listener Node answers 417 without a body.
  app.server.on("checkExpectation", (request, answer) => app.server.emit("request", request, answer));
  app.addHook("onRequest", (request, reply, done) => {
    lastAnswers.set(request.raw.socket, reply.raw);
    const { expect } = request.headers;
    if (expect === undefined || expect.toLowerCase() === "100-continue") return done();
    done(new ApiError("expectation_failed", "The only supported `Expect` header is `100-continue`."));
  });
}

function refusalOf(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ApiError(
      "headers_too_large",
      "The URL and the headers are larger than 16 kB together. Shorten them.",
    );
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError(
      "request_timeout",
      "The request arrived too slowly. Send it again over a faster connection.",
    );
  return new ApiError(
    "malformed_request",
    "This is not a valid HTTP/1.1 request. Check the address and the client.",
  );
}

function commonHeaders(requestId: string): Record<string, string> {
  return { "x-request-id": requestId, "x-content-type-options": "nosniff" };
}

function rawAnswer(error: ApiError, requestId: string): string {
  const body = JSON.stringify(error.body(requestId));
  const headers = {
    ...commonHeaders(requestId),
    ...errorHeaders(error),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join("")}\r\n${body}`;
}

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
