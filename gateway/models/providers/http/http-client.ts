import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { buildConnector, type Dispatcher, type FormData, Pool } from "undici";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { BlockedAddressError, guardedConnectors } from "#gateway/platform/network/address-guard.ts";
import { isPublicAddress } from "#gateway/platform/network/address-rules.ts";
import { type Answer, endInTime, exchange } from "#gateway/platform/network/exchange.ts";
import { assertMayLeave } from "#gateway/platform/network/quiet.ts";

/** Time-outs for the parts of a call to an upstream; the providers file can change each per provider. */
export interface Timeouts {
  /** DNS, connection and TLS. */
  connectMs: number;
  /** From the request to the first bytes of the answer, for a call that runs a model. */
  answerMs: number;
  /**
   * From the request to the first bytes of the answer, for a call that only submits, polls or cancels a job.
   */
  jobMs: number;
  /** From the request to the last byte of the answer. */
  wholeMs: number;
  /** From the request to the last byte of a streamed answer. */
  streamMs: number;
  /** Silence in the middle of an answer or stream. */
  idleMs: number;
  /** Silence before the first content of a chat, if another upstream could be tried instead. */
  firstTokenMs: number;
  /** Silence between two pieces of content, if another upstream could be tried instead. */
  nextTokenMs: number;
  /** A sync operation on an upstream that only has jobs, from the start to the outputs. */
  runMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  answerMs: 600_000,
  jobMs: 60_000,
  wholeMs: 900_000,
  streamMs: 3_600_000,
  idleMs: 120_000,
  firstTokenMs: 10_000,
  nextTokenMs: 25_000,
  runMs: 600_000,
};

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

const anywhere = ["0.0.0.0/0", "::/0"];

const forbidden = "The address belongs to a service of the machine or cloud, so no provider can use it";

const checkedLookup: LookupFunction = (host, options, callback) => {
  dns.lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, "", 0);
    if (!found.every(({ address }) => isPublicAddress(address, anywhere)))
      return callback(new BlockedAddressError(forbidden), "", 0);
    const [first] = found;
    if (options.all || !first) return callback(null, found);
    return callback(null, first.address, first.family);
  });
};

const timedOut = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

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
    assertMayLeave();
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
    assertMayLeave();
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

/** The error of a call without an answer; `started` is `no` only if the request was never written. */
export function connectionFailure(error: unknown, sent: boolean): ProviderError {
  const code = codeOf(error);
  const message = `${code}: ${error instanceof Error ? error.message : String(error)}`;
  const cause = Object.assign(new Error(message), { code });
  if (!sent)
    return new ProviderError("service_unavailable", "The provider could not be reached.", {
      started: "no",
      cause,
    });
  if (timedOut.has(code))
    return new ProviderError("upstream_timeout", "The provider did not answer in time.", {
      started: "unknown",
      cause,
    });
  return new ProviderError("upstream_error", "The connection to the provider was lost.", {
    started: "unknown",
    cause,
  });
}

function codeOf(error: unknown): string {
  const code = error !== null && typeof error === "object" ? Reflect.get(error, "code") : null;
  return typeof code === "string" ? code : "ERROR";
}

/**
 * Opens connections to an upstream: only to public https addresses or, if the operator allowed private ones,
 * to any address except the clouds' metadata services.
 */
function connectorFor(
  origin: string,
  connectTimeoutMs: number,
  allowPrivate: boolean,
): buildConnector.connector {
  if (allowPrivate) return privateConnector(connectTimeoutMs);
  const ports = [Number(new URL(origin).port || 443)];
  return guardedConnectors({ ports, allowCidrs: [], connectTimeoutMs })();
}

/** Opens connections to any address except the clouds' metadata services. */
export function privateConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, lookup: checkedLookup });
  return (target, callback) => {
    const literal = target.hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(literal) !== 0 && !isPublicAddress(literal, anywhere))
      return callback(new BlockedAddressError(forbidden), null);
    return connect(target, callback);
  };
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

/**
 * Whether a host is on a private network now: an address, or a name of which one address is private. Throws if
 * the name cannot be resolved.
 */
export async function isPrivateHost(host: string): Promise<boolean> {
  assertMayLeave();
  const found = await dns.promises.lookup(host.replace(/^\[(.*)\]$/, "$1"), { all: true });
  return found.some(({ address }) => !isPublicAddress(address));
}

/** Whether a literal address may be called if private ones are allowed. */
export function isCallable(address: string): boolean {
  return isPublicAddress(address, anywhere);
}
