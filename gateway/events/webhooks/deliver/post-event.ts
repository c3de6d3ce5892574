import type { IncomingHttpHeaders } from "node:http";
import type { DeliveryErrorCode } from "#contract/webhook.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { type Exchange, exchange } from "#gateway/platform/network/exchange.ts";
import { errorCodeOf } from "#gateway/platform/network/resolve.ts";
import { readRetryAfter } from "../backoff.ts";
import type { OwnHeaders } from "../endpoints/own-headers.ts";
import type { ClientPool, PooledClient } from "./client-pool.ts";
import { DeadlineError, failureCode, failureDetail, StoppedError, statusCodeFailure } from "./failure.ts";
import { withOwnHeaders } from "./hidden-headers.ts";
import { connectMs, maxResponseBytes } from "./settings.ts";
import { headerRecord, storableDetail, storableText } from "./text.ts";

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  /** The endpoint's own headers, which nobody sees again. */
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

/** The outcome of one attempt; `errorCode` null means that the receiver accepted it. */
export interface Outcome {
  /** Whether any of the request may have left: without a connection, nothing did. */
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
 * One attempt: POST, read the head and at most 16 KiB. DNS, connection and TLS have a deadline, and from the moment the request
 * is sent the receiver has `timeoutMs` for head and body. Never throws, never follows a redirect. Meanwhile `underWay` has the function that aborts it. A reused connection
 * that dies during the request says nothing about the receiver: it is sent once more on a new one, and `lost` describes
 * the first request, which the receiver may have seen.
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
      // Phases that a reused connection skipped stay null.
      ...(isFresh && connection ? connection.timings : { dns: null, connect: null, tls: null }),
      ttfb: head ? head.atMs - startedAtMs : null,
      total: performance.now() - startedAtMs,
    },
  };
}

/** Whether a reused connection was closed by the receiver before this request: no sign of trouble. */
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
