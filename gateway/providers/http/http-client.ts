import type { Readable } from "node:stream";
import { type Dispatcher, type FormData, Pool } from "undici";
import { connectionFailure } from "./connection-failure.ts";
import type { Timeouts } from "./timeouts.ts";

/** Sockets per origin; further requests wait for one. */
const maxConnections = 256;

export interface HttpCall {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: URL;
  headers: Record<string, string>;
  body?: string | FormData;
  signal: AbortSignal;
  /** Longest wait for the head of the answer. */
  answerMs: number;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Whoever takes the answer reads or destroys it. */
  body: Readable;
}

type Dispatch = Dispatcher["dispatch"];
type WatchedOptions = Dispatcher.DispatchOptions & { whenSent?: () => void };

/**
 * Calls upstreams over kept connections, one pool per origin. Redirects are not followed: a key goes where the
 * operator said and nowhere else. Throws ProviderError, whose `started` is `no` only when nothing was written.
 */
export class HttpClient {
  private readonly pools = new Map<string, { pool: Pool; watched: Dispatcher }>();
  private readonly timeouts: Timeouts;

  constructor(timeouts: Timeouts) {
    this.timeouts = timeouts;
  }

  async send(call: HttpCall): Promise<HttpAnswer> {
    let sent = false;
    const { method, url, headers, body, signal } = call;
    const options: Dispatcher.RequestOptions & WatchedOptions = {
      method,
      path: `${url.pathname}${url.search}`,
      headers,
      signal,
      headersTimeout: call.answerMs,
      bodyTimeout: this.timeouts.idleMs,
      ...(body !== undefined && { body }),
      whenSent: () => {
        sent = true;
      },
    };
    try {
      const answer = await this.poolOf(url.origin).request(options);
      // Whoever reads it gets the error; letting go of an unread answer must not end the process.
      answer.body.on("error", () => undefined);
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      if (signal.aborted) throw error;
      throw connectionFailure(error, sent);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map(({ pool }) => pool.destroy()));
  }

  private poolOf(origin: string): Dispatcher {
    const known = this.pools.get(origin);
    if (known) return known.watched;
    const pool = new Pool(origin, {
      connections: maxConnections,
      connect: { timeout: this.timeouts.connectMs },
      allowH2: false,
    });
    const watched = pool.compose(watchSent);
    this.pools.set(origin, { pool, watched });
    return watched;
  }
}

/** Tells when a request is written to a socket: before that it certainly did not reach the upstream. */
function watchSent(dispatch: Dispatch): Dispatch {
  return (options, handler) => {
    const { whenSent } = options as WatchedOptions;
    const begin = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      whenSent?.();
      begin?.(controller, context);
    };
    return dispatch(options, handler);
  };
}
