import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long the gateway and the console wait for a client. */
const limits = {
  /** For all headers of a request, and for the first byte on a new connection. */
  maxHeadersMs: 30_000,
  /** For a body; received bytes extend this time, see `minBytesPerSecond`. */
  maxBodyMs: 30_000,
  /** A body may take one more second for each of these bytes received. */
  minBytesPerSecond: 500,
  /** Between two requests on one connection; longer than the minute after which proxies close theirs. */
  maxIdleMs: 72_000,
  checkEveryMs: 1_000,
};

interface Arriving {
  request: IncomingMessage;
  answer: ServerResponse;
  /** The connection's bytes when the request began. */
  bytesBefore: number;
  /** How long the server has waited for the client. */
  waitedMs: number;
}

/**
 * Disconnects clients that send their request too slowly, so that they cannot occupy connections. A large
 * body may take long, but must not stall. Only the time spent waiting for the client counts, not the time
 * that the server needs to read received data.
 */
export function cutSlowRequests(server: Server, changed: Partial<typeof limits> = {}): void {
  const { maxHeadersMs, maxBodyMs, minBytesPerSecond, maxIdleMs, checkEveryMs } = { ...limits, ...changed };
  server.headersTimeout = maxHeadersMs;
  server.keepAliveTimeout = maxIdleMs;
  server.requestTimeout = 0; // Node's own time-out would also end large bodies that arrive fast.
  // By connection, on which one request arrives at a time: with an entry per request, each finished one would
  // stay in memory until the next check.
  const arriving = new Map<Socket, Arriving>();
  server.prependListener("request", (request: IncomingMessage, answer: ServerResponse) => {
    const { socket } = request;
    if (request.complete) arriving.delete(socket);
    else arriving.set(socket, { request, answer, bytesBefore: socket.bytesRead, waitedMs: 0 });
  });
  const check = () => {
    for (const [socket, state] of arriving) {
      const { request } = state;
      if (request.complete || socket.destroyed) arriving.delete(socket);
      if (!arriving.has(socket) || request.readableLength > 0) continue;
      state.waitedMs += checkEveryMs;
      const arrived = socket.bytesRead - state.bytesBefore;
      if (state.waitedMs < maxBodyMs + (arrived / minBytesPerSecond) * 1000) continue;
      arriving.delete(socket);
      cut(server, request, state.answer);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  server.on("listening", () => {
    clearInterval(timer);
    timer = setInterval(check, checkEveryMs).unref();
  });
  server.on("close", () => clearInterval(timer));
}

/** Ends a request in the way in which Node ends one whose headers arrive too slowly. */
function cut(server: Server, { socket }: IncomingMessage, answer: ServerResponse): void {
  if (answer.headersSent) return void socket.destroy();
  const error = Object.assign(new Error("The request is too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  if (server.emit("clientError", error, socket)) return;
  socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
  socket.destroySoon();
}
