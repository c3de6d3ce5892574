import type { Readable } from "node:stream";
import { type Dispatcher, type FormData, Pool } from "undici";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { type Answer, endInTime, exchange } from "#gateway/platform/network/exchange.ts";
import { connectionFailure } from "./connection-failure.ts";
import { connectorFor } from "./connector.ts";
import type { Timeouts } from "./timeouts.ts";

/** Sockets per origin; further requests wait for a free one. */
const maxConnections = 256;

const tookTooLong = "The provider's answer took too long.";

/** The destination of a call. */
export interface Destination {
  origin: string;
  /** Includes the query. */
  path: string;
}

export interface HttpCall {
  method: "GET" | "POST" | "PUT" | "DELETE";
  to: Destination;
  headers: Record<string, string>;
  body?: string | FormData;
  signal: AbortSignal;
  /** The longest wait for the answer's headers. */
  answerMs: number;
  /** The longest wait for the answer's end; at least `answerMs`. */
  totalMs: number;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The caller must read or destroy it. */
  body: Readable;
}

/** The connections to one origin; `watched` reports when a request is written. */
interface Connections {
  pool: Pool;
  watched: Dispatcher;
}

/** An answer whose body is in memory. */
export interface WholeAnswer extends Answer {
  bytes: Buffer;
}

type Dispatch = Dispatcher["dispatch"];
type WatchedOptions = Dispatcher.DispatchOptions & { whenSent?: () => void };

/**
 * Calls upstreams over kept-alive connections, one pool per origin. Redirects are not followed: a key is sent
 * only where the operator configured. Throws ProviderError, whose `started` is `no` only when nothing was
 * written.
 */
export class HttpClient {
  private readonly pools = new Map<string, Connections>();
  private readonly timeouts: Timeouts;
  private readonly allowPrivate: boolean;

  constructor({ timeouts, allowPrivate }: { timeouts: Timeouts; allowPrivate: boolean }) {
    this.timeouts = timeouts;
    this.allowPrivate = allowPrivate;
  }

  async send(call: HttpCall): Promise<HttpAnswer> {
    let sent = false;
    const { signal } = call;
    const begun = performance.now();
    const options: Dispatcher.RequestOptions & WatchedOptions = {
      ...this.optionsOf(call),
      signal,
      whenSent: () => {
        sent = true;
      },
    };
    try {
      const answer = await this.connectionsTo(call.to.origin).watched.request(options);
      // The body's reader also gets the error; without a listener here, destroying an unread answer would
      // crash the process.
      answer.body.on("error", () => undefined);
      const leftMs = Math.max(call.totalMs, call.answerMs) - (performance.now() - begun);
      endInTime(answer.body, leftMs, () => new ProviderError("upstream_timeout", tookTooLong));
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      if (signal.aborted) throw error;
      throw connectionFailure(error, sent);
    }
  }

  /** The answer with its body in memory: at most `limit` bytes, and whether it was cut. */
  async sendWhole(call: HttpCall, limit: number): Promise<WholeAnswer> {
    const { signal } = call;
    let sent = false;
    try {
      const { pool } = this.connectionsTo(call.to.origin);
      const onStart = () => {
        sent = true;
      };
      const { answer, chunks } = exchange(pool, this.optionsOf(call), {
        maxBytes: limit,
        refuseLarger: true,
        totalMs: Math.max(call.totalMs, call.answerMs),
        signal,
        onStart,
      });
      return { ...(await answer), bytes: Buffer.concat(chunks) };
    } catch (error) {
      if (signal.aborted) throw error;
      throw connectionFailure(error, sent);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map(({ pool }) => pool.destroy()));
  }

  /** Waits until the requests in progress have ended. */
  async finish(): Promise<void> {
    await Promise.all([...this.pools.values()].map(({ pool }) => pool.close()));
  }

  private optionsOf({ method, to, headers, body, answerMs }: HttpCall): Dispatcher.DispatchOptions {
    return {
      method,
      path: to.path,
      headers,
      headersTimeout: answerMs,
      bodyTimeout: this.timeouts.idleMs,
      ...(body !== undefined && { body }),
    };
  }

  private connectionsTo(origin: string): Connections {
    const known = this.pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin, {
      connections: maxConnections,
      connect: connectorFor(origin, this.timeouts.connectMs, this.allowPrivate),
      allowH2: false,
    });
    const connections = { pool, watched: pool.compose(watchSent) };
    this.pools.set(origin, connections);
    return connections;
  }
}

/** Reports when a request is written to a socket: before that it cannot have reached the upstream. */
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
