import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** More came than was read; the rest was dropped with the connection. */
  truncated: boolean;
}

export interface Exchange {
  answer: Promise<Answer>;
  /** Set as soon as the status line and headers are in. */
  head: { status: number; headers: IncomingHttpHeaders; atMs: number } | null;
  /** What of the body is in so far. */
  chunks: Buffer[];
}

/**
 * Asks once and reads at most `maxBytes` of the answer into memory; the stream that undici's `request` puts between
 * costs a tenth of a chat. Fails with the connection's or the parser's error. `onStart` is called when the request is
 * about to be written, with what breaks it off.
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
