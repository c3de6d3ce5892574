import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The answer was larger than the limit; the rest was dropped with the connection. */
  truncated: boolean;
}

export interface Exchange {
  answer: Promise<Answer>;
  /** Set as soon as the status line and headers are in. */
  head: { status: number; headers: IncomingHttpHeaders; atMs: number } | null;
  /** The body so far. */
  chunks: Buffer[];
}

/**
 * Sends one request and reads at most `maxBytes` of the answer into memory, without undici's `request`, whose stream
 * costs a tenth of a chat. Fails with the connection's or the parser's error. `onStart` is called just before the
 * request is written, with a function that aborts it.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  maxBytes: number,
  onStart?: (controller: Dispatcher.DispatchController) => void,
): Exchange {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const made: Exchange = { answer, head: null, chunks: [] };
  let size = 0;
  const finish = (truncated: boolean) => {
    if (!made.head) return reject(new Error("The answer had no head"));
    const { status, headers } = made.head;
    return resolve({ status, headers, truncated });
  };
  dispatcher.dispatch(request, {
    onRequestStart(controller) {
      onStart?.(controller);
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      made.head = { status, headers, atMs: performance.now() };
    },
    onResponseData(controller, chunk) {
      made.chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size <= maxBytes) return;
      finish(true);
      controller.abort(new Error("The rest of the answer is not read"));
    },
    onResponseEnd: () => finish(false),
    onResponseError: (_controller, error) => reject(error),
  });
  return made;
}
