import type { IncomingHttpHeaders } from "node:http";
import { Client } from "undici";
import type { DeliveryErrorCode } from "#contract/webhook.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readRetryAfter } from "#gateway/platform/core/retry-schedule.ts";
import {
  BlockedAddressError,
  type Connection,
  errorCodeOf,
  type GuardOptions,
  guardedConnectors,
  NameNotResolvedError,
} from "#gateway/platform/network/address-guard.ts";
import { type Exchange, exchange } from "#gateway/platform/network/exchange.ts";
import type { OwnHeaders } from "../endpoints/own-headers.ts";
import { connectMs, maxResponseBytes } from "./settings.ts";

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  /** The endpoint's custom headers, which are never shown again. */
  own: OwnHeaders | null;
  body: string;
}

export interface Timings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  ttfb: number | null;
  total: number;
}

/** The outcome of one attempt; `errorCode` null: the receiver accepted it. */
export interface Outcome {
  /** Whether any part of the request may have been sent; false if there was no connection. */
  isSent: boolean;
  errorCode: DeliveryErrorCode | null;
  errorDetail: string | null;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  truncated: boolean;
  retryAfterMs: number | null;
  remoteIp: string | null;
  timings: Timings;
}

/** One request and its outcome. */
interface Made {
  startedAt: Date;
  outcome: Outcome;
}

/**
 * One connection to one receiver. Only one attempt uses it at a time, so that its timings belong to that
 * attempt.
 */
interface PooledClient {
  origin: string;
  client: Client;
  /** The latest connection; null before the first. */
  connection: Connection | null;
  /** Whether `connection` was opened for the current attempt. */
  isFresh: boolean;
  idleSinceMs: number;
}

/** A checked socket is reused for at most a minute; then the name is resolved and checked again. */
const maxSocketAgeMs = 60_000;

const maxIdleMs = 8000;

const maxIdlePerOrigin = 16;

const maxKnownTargets = 1000;

/** The parts of a URL that a connection and a request need. */
interface Target {
  origin: string;
  path: string;
}

/** Keeps connections to receivers open between attempts; all of them pass the address guard. */
export class ClientPool {
  private readonly targets = new Map<string, Target>();
  private readonly connectorFor: ReturnType<typeof guardedConnectors>;
  private readonly idle = new Map<string, PooledClient[]>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(guard: GuardOptions) {
    this.connectorFor = guardedConnectors(guard);
    this.sweeper = setInterval(() => this.dropIdle(), maxIdleMs);
    this.sweeper.unref();
  }

  /** Parses an endpoint's URL once for all of its deliveries. */
  targetOf(url: string): Target {
    const known = this.targets.get(url);
    if (known) return known;
    const { origin, pathname, search } = new URL(url);
    const target = { origin, path: `${pathname}${search}` };
    if (this.targets.size >= maxKnownTargets) this.targets.clear();
    this.targets.set(url, target);
    return target;
  }

  /** A kept connection to the origin, or a new one; always a new one when `fresh`. */
  take(origin: string, fresh = false): PooledClient {
    const kept = fresh ? undefined : this.idle.get(origin)?.pop();
    if (kept) {
      kept.isFresh = false;
      return kept;
    }
    const pooled: PooledClient = {
      origin,
      client: new Client(origin, {
        connect: this.connectorFor((connection) => {
          pooled.connection = connection;
          pooled.isFresh = true;
        }),
        allowH2: false,
        pipelining: 1,
        // Off, because each attempt has its own deadlines.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: maxIdleMs,
        keepAliveMaxTimeout: maxSocketAgeMs,
      }),
      connection: null,
      isFresh: true,
      idleSinceMs: 0,
    };
    return pooled;
  }

  /** Returns a connection for reuse; only after a complete answer. */
  giveBack(pooled: PooledClient): void {
    const now = performance.now();
    const kept = this.idle.get(pooled.origin) ?? [];
    const openedAtMs = pooled.connection?.openedAtMs ?? 0;
    if (now - openedAtMs > maxSocketAgeMs || kept.length >= maxIdlePerOrigin) {
      this.discard(pooled);
      return;
    }
    pooled.idleSinceMs = now;
    kept.push(pooled);
    this.idle.set(pooled.origin, kept);
  }

  discard(pooled: PooledClient, reason: Error | null = null): void {
    pooled.client.destroy(reason).catch(() => {});
  }

  close(): void {
    clearInterval(this.sweeper);
    for (const kept of this.idle.values()) for (const pooled of kept) this.discard(pooled);
    this.idle.clear();
  }

  private dropIdle(): void {
    const oldest = performance.now() - maxIdleMs;
    for (const [origin, kept] of this.idle) {
      const live = kept.filter((pooled) => pooled.idleSinceMs >= oldest);
      for (const pooled of kept) if (!live.includes(pooled)) this.discard(pooled);
      if (live.length > 0) this.idle.set(origin, live);
      else this.idle.delete(origin);
    }
  }
}

/**
 * Makes one attempt: POST, then read the headers and at most 16 KiB. DNS, connection and TLS have a deadline;
 * once the request is sent, the receiver has `timeoutMs` for headers and body. Never throws, and never
 * follows a redirect. While it runs, `underWay` contains the function that aborts it. A reused connection
 * that dies during the request says nothing about the receiver: the request is sent once more on a new
 * connection, and `lost` describes the first request, which the receiver may have seen.
 */
export async function postEvent(
  pool: ClientPool,
  outgoing: Outgoing,
  timeoutMs: number,
  underWay: Set<() => void>,
): Promise<Made & { lost: Made | null }> {
  const { origin, path } = pool.targetOf(outgoing.url);
  const headers = outgoing.own ? withOwnHeaders(outgoing.headers, outgoing.own) : outgoing.headers;
  const request = { method: "POST", path, headers, body: outgoing.body } as const;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const within = (ms: number, what: string) => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(() => breakOff(new DeadlineError(`${what} within ${ms} ms`)), ms);
  };
  const begin = (fresh: boolean): Try => {
    const pooled = pool.take(origin, fresh);
    const written = { isSent: false };
    within(connectMs(timeoutMs), "No connection");
    const onStart = () => {
      written.isSent = true;
      within(timeoutMs, "No complete answer");
    };
    return {
      pooled,
      written,
      exchange: exchange(pooled.client, request, { maxBytes: maxResponseBytes, onStart }),
      startedAt: clock.date(),
      startedAtMs: performance.now(),
    };
  };
  const breakOff = (reason: Error) => {
    attempt.brokenOff = reason;
    pool.discard(attempt.current.pooled, reason);
  };
  const attempt: { current: Try; brokenOff: Error | null } = { current: begin(false), brokenOff: null };
  let lost: Made | null = null;
  const stop = () => breakOff(new StoppedError("The gateway was stopped during this attempt"));
  underWay.add(stop);
  try {
    const answer = await attempt.current.exchange.answer.catch((error: unknown) => {
      if (attempt.brokenOff || !isStale(attempt.current, error)) throw error;
      lost = { startedAt: attempt.current.startedAt, outcome: staleOutcome(attempt.current) };
      pool.discard(attempt.current.pooled);
      attempt.current = begin(true);
      return attempt.current.exchange.answer;
    });
    if (answer.truncated) pool.discard(attempt.current.pooled);
    else pool.giveBack(attempt.current.pooled);
    const accepted = answer.status >= 200 && answer.status < 300;
    const outcome = {
      ...observed(attempt.current),
      truncated: answer.truncated,
      errorCode: accepted ? null : statusCodeFailure(answer.status),
      errorDetail: accepted ? null : statusDetail(answer.status, answer.headers),
    };
    return { startedAt: attempt.current.startedAt, outcome, lost };
  } catch (caught) {
    const error = attempt.brokenOff ?? caught;
    const { pooled, exchange } = attempt.current;
    pool.discard(pooled);
    const outcome = {
      ...observed(attempt.current),
      errorCode: failureCode(error, {
        connection: pooled.connection,
        responseStarted: exchange.head !== null,
      }),
      errorDetail: storableDetail(failureDetail(error)),
    };
    return { startedAt: attempt.current.startedAt, outcome, lost };
  } finally {
    isOver = true;
    clearTimeout(timer);
    underWay.delete(stop);
  }
}

interface Try {
  pooled: PooledClient;
  exchange: Exchange;
  written: { isSent: boolean };
  startedAt: Date;
  startedAtMs: number;
}

function observed({ exchange, pooled, written, startedAtMs }: Try) {
  const { connection, isFresh } = pooled;
  const { head } = exchange;
  return {
    isSent: written.isSent,
    status: head?.status ?? null,
    headers: head ? headerRecord(head.headers) : null,
    body: head ? storableText(Buffer.concat(exchange.chunks).toString("utf8")) : null,
    truncated: false,
    retryAfterMs: head ? readRetryAfter(head.headers["retry-after"]) : null,
    remoteIp: connection?.remoteIp ?? null,
    timings: {
      // Null for phases that a reused connection skipped.
      ...(isFresh && connection ? connection.timings : { dns: null, connect: null, tls: null }),
      ttfb: head ? head.atMs - startedAtMs : null,
      total: performance.now() - startedAtMs,
    },
  };
}

/** Whether the receiver had closed a reused connection before this request, which is no problem. */
function isStale({ exchange, pooled }: Try, error: unknown): boolean {
  const reset = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(errorCodeOf(error) ?? "");
  return reset && !pooled.isFresh && exchange.head === null;
}

function staleOutcome(stale: Try): Outcome {
  return {
    ...observed(stale),
    errorCode: "stale_connection",
    errorDetail:
      "The reused connection closed before an answer; sent again at once on a new one. This attempt does not count",
  };
}

function statusDetail(status: number, headers: IncomingHttpHeaders): string {
  const { location } = headers;
  if (status < 400 && location)
    return storableDetail(`Answered ${status} to ${location}; redirects are not followed`);
  return `Answered ${status}`;
}

const hidden = "[hidden]";

/** A shorter value is not a secret, and would match unrelated text. */
const shortestSecret = 8;

/** The headers of a request as sent. */
function withOwnHeaders(headers: Record<string, string>, own: OwnHeaders): Record<string, string> {
  return { ...headers, ...Object.fromEntries(own) };
}

/** The headers of a request as shown in the log. */
export function withHiddenHeaders(headers: Record<string, string>, own: OwnHeaders): Record<string, string> {
  return { ...headers, ...Object.fromEntries(own.map(([name]) => [name, hidden])) };
}

/** A receiver's answer without the secret header values that it may repeat. */
export function withoutValues(text: string, own: OwnHeaders): string {
  return own.reduce(
    (rest, [, value]) => (value.length < shortestSecret ? rest : rest.replaceAll(value, hidden)),
    text,
  );
}

/** The progress of an exchange when it failed. */
interface Progress {
  connection: Connection | null;
  responseStarted: boolean;
}

/** The attempt did not finish within its deadline. */
class DeadlineError extends Error {}

/** The worker stopped and aborted the attempt. */
class StoppedError extends Error {}

const refusedCodes = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EHOSTDOWN",
  "ENETDOWN",
]);

const timeoutCodes = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** The contract's error code for an attempt without a complete answer. */
function failureCode(error: unknown, { connection, responseStarted }: Progress): DeliveryErrorCode {
  if (error instanceof StoppedError) return "interrupted";
  if (error instanceof BlockedAddressError) return "blocked_address";
  if (error instanceof NameNotResolvedError) return "dns_error";
  const phase = connection?.phase ?? "open";
  if (error instanceof DeadlineError)
    return phase === "connect" ? "connect_timeout" : phase === "dns" ? "dns_error" : "timeout";
  const code = errorCodeOf(error) ?? errorCodeOf((error as Error).cause) ?? "";
  if (phase === "connect") {
    if (timeoutCodes.has(code)) return "connect_timeout";
    return refusedCodes.has(code) || code === "" ? "connect_refused" : "connection_reset";
  }
  if (phase === "tls") return timeoutCodes.has(code) ? "timeout" : "tls_error";
  if (responseStarted || isUnreadable(error, code)) return "invalid_response";
  return "connection_reset";
}

/** OpenSSL's `<thread>:error:<number>:SSL routines:<function>:<reason>:<source file>:<line>:…`. */
const openSslLine = /[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):[^\s]*:\d+:?.*/s;

/** Node's advice to the operator, which does not help the receiver's owner. */
const nodeAdvice = /;? (if the root CA is installed locally, )?try running Node\.js.*/s;

/** The error as text for the receiver's owner. */
export function failureDetail(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(openSslLine, "the TLS handshake failed: $1").replace(nodeAdvice, "").trim();
}

/** Whether the answer was not valid HTTP; undici's parser errors have a name but not always a code. */
function isUnreadable(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false;
  const isUpgrade = code === "UND_ERR_SOCKET" && error.message === "bad upgrade";
  return (
    isUpgrade || error.name === "HTTPParserError" || /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_))/.test(code)
  );
}

/** The contract's error code for an unsuccessful HTTP answer. HTTP has no status beyond 599. */
function statusCodeFailure(status: number): DeliveryErrorCode {
  if (status > 599) return "invalid_response";
  if (status < 400) return "http_3xx";
  return status < 500 ? "http_4xx" : "http_5xx";
}

const maxHeaderBytes = 8 * 1024;

const maxDetailLength = 2000;

/** Text that PostgreSQL can hold: it refuses NUL and lone surrogates. */
function storableText(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}

/**
 * A receiver's headers for storage: repeated ones joined, at most 8 KiB in total. Their names are plain
 * ASCII.
 */
function headerRecord(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  let size = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = storableText(Array.isArray(value) ? value.join(", ") : value);
    size += name.length + text.length;
    if (size > maxHeaderBytes) break;
    kept[name] = text;
  }
  return kept;
}

/** An error message for storage. */
function storableDetail(text: string): string {
  return storableText(text.slice(0, maxDetailLength));
}
