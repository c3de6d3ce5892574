import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "undici";

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

/** POSTs once and reads at most `maxBytes` of the answer. Fails with the connection's or the parser's error. */
export function post(
  client: Client,
  request: { path: string; headers: Record<string, string>; body: string },
  maxBytes: number,
): Exchange {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const exchange: Exchange = { answer, head: null, chunks: [] };
  let size = 0;
  const finish = (truncated: boolean) => {
    if (!exchange.head) return reject(new Error("The answer had no head"));
    const { status, headers } = exchange.head;
    return resolve({ status, headers, truncated });
  };
  client.dispatch(
    { method: "POST", ...request },
    {
      onRequestStart() {},
      onResponseStart(_controller, status, headers) {
        if (status < 200) return;
        exchange.head = { status, headers, atMs: performance.now() };
      },
      onResponseData(controller, chunk) {
        exchange.chunks.push(chunk.subarray(0, maxBytes - size));
        size += chunk.length;
        if (size <= maxBytes) return;
        finish(true);
        controller.abort(new Error("The rest of the answer is not read"));
      },
      onResponseEnd: () => finish(false),
      onResponseError: (_controller, error) => reject(error),
    },
  );
  return exchange;
}
