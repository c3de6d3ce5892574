import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The answer exceeded the limit; the rest was dropped with the connection. */
  truncated: boolean;
}

export interface Exchange {
  answer: Promise<Answer>;
  /** Set once the status line and headers have arrived. */
  head: { status: number; headers: IncomingHttpHeaders; atMs: number } | null;
  /** The body so far. */
  chunks: Buffer[];
}

interface ExchangeOptions {
  /** The rest of a larger answer is not read. */
  maxBytes: number;
  /** A successful answer that announces more bytes is refused without reading. */
  refuseLarger?: boolean;
  /** The longest time until the end of the answer. */
  totalMs?: number;
  /** Aborts the exchange with its reason. */
  signal?: AbortSignal;
  /** Called just before the request is written. */
  onStart?: () => void;
}

/**
 * Sends one request and reads the answer into memory, without undici's `request`, whose stream takes a tenth
 * of the processor time of a chat. Fails with the connection's or the parser's error.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { maxBytes, refuseLarger = false, totalMs, signal, onStart }: ExchangeOptions,
): Exchange {
  signal?.throwIfAborted();
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const made: Exchange = { answer, head: null, chunks: [] };
  let size = 0;
  let connection: Dispatcher.DispatchController | null = null;
  const cut = (reason: unknown) => {
    clearTimeout(timer);
    connection?.abort(reason as Error);
    reject(reason);
  };
  const onAbort = () => cut(signal?.reason);
  let late: Error | null = null;
  const timer =
    totalMs === undefined
      ? undefined
      : setTimeout(() => {
          signal?.removeEventListener("abort", onAbort);
          late = Object.assign(new Error(`no complete answer within ${totalMs} ms`), { code: "ETIMEDOUT" });
          cut(late);
        }, totalMs);
  const finish = (truncated: boolean) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    if (!made.head) return reject(new Error("The answer ended before its headers"));
    const { status, headers } = made.head;
    return resolve({ status, headers, truncated });
  };
  signal?.addEventListener("abort", onAbort);
  dispatcher.dispatch(request, {
    onRequestStart(controller) {
      connection = controller;
      // The exchange was aborted while it waited for a connection.
      if (signal?.aborted) return controller.abort(signal.reason);
      if (late) return controller.abort(late);
      onStart?.();
    },
    onResponseStart(controller, status, headers) {
      if (status < 200) return;
      made.head = { status, headers, atMs: performance.now() };
      if (!refuseLarger || status > 299 || !(Number(headers["content-length"]) > maxBytes)) return;
      finish(true);
      controller.abort(new Error("The answer is too large to be read"));
    },
    onResponseData(controller, chunk) {
      made.chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size <= maxBytes) return;
      finish(true);
      controller.abort(new Error("The rest of the answer is not read"));
    },
    onResponseEnd: () => finish(false),
    onResponseError(_controller, error) {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      reject(error);
    },
  });
  return made;
}

/** Destroys a body that was not read completely in time, with the error from `late`. */
export function endInTime(body: Readable, ms: number, late: () => Error): Readable {
  const timer = setTimeout(() => body.destroy(late()), ms);
  timer.unref();
  body.once("close", () => clearTimeout(timer));
  return body;
}
