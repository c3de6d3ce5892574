import { newId } from "#contract/ids.ts";
import { type DeliveryErrorCode, maxDeliveryAttempts } from "#contract/webhook.ts";
import { type DisabledReason, stopHeader } from "#contract/webhook-constants.ts";
import { retryWaitMs } from "#gateway/platform/core/retry-schedule.ts";
import { shownCallbackUrl } from "../callbacks.ts";
import type { OwnHeaders } from "../endpoints/own-headers.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { type Outcome, type Outgoing, type Timings, withHiddenHeaders, withoutValues } from "./post-event.ts";
import { unsignedRetryMs } from "./settings.ts";

/** A row of webhook_attempts, in the form that the writing statement reads. */
export interface AttemptRow {
  id: string;
  delivery_id: string;
  endpoint_id: string;
  number: number;
  succeeded: boolean;
  started_at: string;
  duration_ms: number | null;
  url: string;
  remote_ip: string | null;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_body_truncated: boolean;
  error_code: DeliveryErrorCode | null;
  error_detail: string | null;
  timings: Record<string, number | null>;
}

/**
 * The delivery's next state. Saved only while `owner` still holds the lease, except for a successful
 * delivery.
 */
export interface DeliveryChange {
  id: string;
  owner: string;
  url: string;
  used: 0 | 1;
  next: "delivered" | "failed" | "dead-letter" | "unchanged";
  retry_in_ms: number;
  last_error: DeliveryErrorCode | null;
  last_status_code: number | null;
}

export type StopReason = Extract<DisabledReason, "gone" | "stopped">;

export interface AttemptResult {
  attempt: AttemptRow | null;
  change: DeliveryChange | null;
  /** Why the receiver wants no more deliveries; `gone` only if the preceding attempts also got a 410. */
  stops?: StopReason;
  /** True if the attempt counts for the endpoint's health: automatic attempts count, and every success. */
  countsForHealth: boolean;
  /** The account and the event; only for attempts that are counted. */
  accountId?: string;
  eventId?: string;
}

interface Sent {
  outgoing: Outgoing;
  startedAt: Date;
  outcome: Outcome;
}

export function attemptResult(
  delivery: ClaimedDelivery,
  owner: string,
  sent: Sent,
  backoff: BackoffSettings,
): AttemptResult {
  const { outgoing, outcome } = sent;
  const attempt = attemptRow(delivery, sent);
  const { number, succeeded } = attempt;
  const interrupted = outcome.errorCode === "interrupted";
  return {
    attempt,
    change: {
      id: delivery.id,
      owner,
      url: outgoing.url,
      used: interrupted ? 0 : 1,
      next: interrupted
        ? "unchanged"
        : succeeded
          ? "delivered"
          : number >= maxDeliveryAttempts
            ? "dead-letter"
            : "failed",
      retry_in_ms: interrupted ? 0 : backoffMs(number, backoff, outcome.retryAfterMs),
      last_error: outcome.errorCode,
      // Null for an incomplete answer: its status would look like success here, so only the attempt's row has
      // it.
      last_status_code: isWhole(outcome) ? outcome.status : null,
    },
    countsForHealth: !interrupted && (succeeded || delivery.trigger === "automatic"),
    ...(!interrupted && { accountId: delivery.accountId, eventId: delivery.eventId }),
    ...stopsOf(outcome, number),
  };
}

export interface BackoffSettings {
  backoffBaseMs: number;
  backoffFactor: number;
}

const jitter = { min: 0.8, max: 1.2 };
/** The longest `Retry-After` that is obeyed: a longer one would hold an event beyond its retention. */
const maxRetryAfterMs = 3_600_000;

/**
 * Milliseconds to wait after failed attempt `attempt` (from 1): base × factor^(attempt−1) × U(0.8, 1.2), or
 * the receiver's `Retry-After` if that is longer, at most an hour.
 */
export function backoffMs(
  attempt: number,
  settings: BackoffSettings,
  retryAfterMs: number | null = null,
  random: () => number = Math.random,
): number {
  const schedule = { firstMs: settings.backoffBaseMs, factor: settings.backoffFactor, jitter };
  const delayMs = retryWaitMs(schedule, attempt, random);
  if (retryAfterMs === null) return delayMs;
  return Math.max(delayMs, Math.min(retryAfterMs, maxRetryAfterMs));
}

export const gone = {
  status: 410,
  /**
   * How many consecutive attempts of a delivery must get a 410, because a single one may come from a proxy or
   * a deployment.
   */
  attempts: 3,
} as const;

/** Reads only a complete answer, because the headers of a broken one may be wrong. */
function stopsOf(outcome: Outcome, number: number): { stops?: StopReason } {
  if (!isWhole(outcome)) return {};
  if (outcome.headers?.[stopHeader.name]?.trim().toLowerCase() === stopHeader.value)
    return { stops: "stopped" };
  return outcome.status === gone.status && number >= gone.attempts ? { stops: "gone" } : {};
}

/**
 * A request on an idle connection that died before an answer. The receiver may have seen the request, so the
 * log shows it, but the attempt is not counted.
 */
export function lostConnection(delivery: ClaimedDelivery, sent: Sent): AttemptResult {
  return { attempt: attemptRow(delivery, sent), change: null, countsForHealth: false };
}

function attemptRow(delivery: ClaimedDelivery, sent: Sent): AttemptRow {
  const { own } = sent.outgoing;
  return own ? withoutSecrets(shownAttempt(delivery, sent), own) : shownAttempt(delivery, sent);
}

function withoutSecrets(row: AttemptRow, own: OwnHeaders): AttemptRow {
  const isSent = Object.keys(row.request_headers).length > 0;
  return {
    ...row,
    request_headers: isSent ? withHiddenHeaders(row.request_headers, own) : row.request_headers,
    response_headers:
      row.response_headers &&
      Object.fromEntries(
        Object.entries(row.response_headers).map(([name, value]) => [name, withoutValues(value, own)]),
      ),
    response_body: row.response_body && withoutValues(row.response_body, own),
    error_detail: row.error_detail && withoutValues(row.error_detail, own),
  };
}

function shownAttempt(delivery: ClaimedDelivery, { outgoing, startedAt, outcome }: Sent): AttemptRow {
  return {
    id: newId("attempt"),
    delivery_id: delivery.id,
    endpoint_id: delivery.endpointId,
    number: delivery.attempts + 1,
    succeeded: outcome.errorCode === null,
    started_at: startedAt.toISOString(),
    duration_ms: tenths(outcome.timings.total),
    url: shownUrl(delivery),
    remote_ip: outcome.remoteIp,
    request_headers: outcome.isSent ? outgoing.headers : {},
    response_status: outcome.status,
    response_headers: outcome.headers,
    response_body: outcome.body,
    response_body_truncated: outcome.truncated,
    error_code: outcome.errorCode,
    error_detail: outcome.errorDetail,
    timings: inTenths(outcome.timings),
  };
}

function shownUrl({ url, signer, endpointId }: ClaimedDelivery): string {
  return signer === endpointId ? url : shownCallbackUrl(url);
}

function isWhole({ errorCode }: Outcome): boolean {
  return errorCode === null || errorCode.startsWith("http_");
}

/**
 * The attempt of a worker that died: the log shows it, but it does not count. Only the lease is known, not
 * whether the request was sent or answered; a row without headers marks that as unknown.
 */
export function lostAttempt(delivery: ClaimedDelivery, leasedAt: Date): AttemptResult {
  return {
    attempt: {
      id: newId("attempt"),
      delivery_id: delivery.id,
      endpoint_id: delivery.endpointId,
      number: delivery.attempts + 1,
      succeeded: false,
      started_at: leasedAt.toISOString(),
      duration_ms: null,
      url: shownUrl(delivery),
      remote_ip: null,
      request_headers: {},
      response_status: null,
      response_headers: null,
      response_body: null,
      response_body_truncated: false,
      error_code: "interrupted",
      error_detail:
        "The gateway stopped after it leased this delivery at this time. Whether the request was sent, and " +
        "what the receiver answered, is unknown. This attempt does not count",
      timings: {},
    },
    change: null,
    countsForHealth: false,
  };
}

/**
 * The delivery is given up without an attempt: its payload was removed, its callback's host is no longer
 * allowed, or too many workers died during attempts.
 */
export function givenUp(delivery: ClaimedDelivery, owner: string): AttemptResult {
  const reason = delivery.isClosed
    ? "blocked_address"
    : delivery.body === null
      ? "payload_expired"
      : "interrupted";
  return unsent(delivery, owner, { next: "dead-letter", retry_in_ms: 0, last_error: reason });
}

/** No attempt could be made; the delivery will be tried again. */
export function postponed(delivery: ClaimedDelivery, owner: string): AttemptResult {
  return unsent(delivery, owner, { next: "unchanged", retry_in_ms: unsignedRetryMs, last_error: null });
}

/** The delivery was leased but not sent; any worker may claim it again. */
export function released(delivery: ClaimedDelivery, owner: string): AttemptResult {
  return unsent(delivery, owner, { next: "unchanged", retry_in_ms: 0, last_error: null });
}

function unsent(
  delivery: ClaimedDelivery,
  owner: string,
  change: Pick<DeliveryChange, "next" | "retry_in_ms" | "last_error">,
): AttemptResult {
  const { id, url } = delivery;
  return {
    attempt: null,
    change: { id, owner, url, used: 0, last_status_code: null, ...change },
    countsForHealth: false,
  };
}

function inTenths({ dns, connect, tls, ttfb, total }: Timings): AttemptRow["timings"] {
  const rounded = (ms: number | null) => (ms === null ? null : tenths(ms));
  return {
    dns: rounded(dns),
    connect: rounded(connect),
    tls: rounded(tls),
    ttfb: rounded(ttfb),
    total: tenths(total),
  };
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
