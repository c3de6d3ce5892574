import type { Counted, List } from "#contract/list.ts";
import {
  type Attempt,
  type Delivery,
  type DeliveryDetail,
  type DeliveryQuery,
  type DeliveryTrigger,
  deliveryTriggers,
  maxDeliveryAttempts,
} from "#contract/webhook.ts";
import {
  type DeliveryStatus,
  deliveryStatuses,
  retryableDeliveryStatuses,
} from "#contract/webhook-constants.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { countByStatus, countNotes } from "#gateway/platform/database/counts.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, isNull, sql } from "#gateway/platform/database/drizzle.ts";
import { forgottenNote } from "#gateway/platform/database/history.ts";
import { type Keyset, keyset, listOf, withTotal } from "#gateway/platform/database/keyset.ts";
import {
  webhookDeliveries as deliveries,
  webhookEndpoints as endpoints,
  webhookDeliveryKeys as keys,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "#gateway/platform/database/schema.ts";
import { acceptsNow, shownCallbackUrl } from "../callbacks.ts";
import { shownEvents } from "../feed.ts";
import type { WebhookContext } from "../webhook-context.ts";
import { keysMatching, namesKeys, namesState, stateMatching } from "./filter.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** The endpoint's part of a delivery's view. */
interface ReceivingEndpoint {
  status: string;
  description: string | null;
  ratePerSecond: number | null;
}

/** The delivery log, newest first. */
export async function listDeliveries(
  context: WebhookContext,
  accountId: string,
  query: DeliveryQuery,
): Promise<List<Delivery>> {
  const { queries } = context.database;
  // The condition of the page already includes the times.
  const { created_after: _, created_before: __, ...filter } = query;
  const byKeys = keyset("delivery", keys.id, query, [keysMatching(accountId, filter)]);
  const byState = keyset("delivery", deliveries.id, query, [stateMatching(accountId, filter)]);
  const rows = namesState(query)
    ? await pageByState(queries, byState, namesKeys(query) ? byKeys : null)
    : await pageByKeys(queries, byKeys);
  const notesOn = await countNotes(
    queries,
    "delivery",
    accountId,
    rows.map(({ delivery }) => delivery.id),
  );
  const list = listOf(byKeys, rows, (row) => ({
    ...deliveryView(row.delivery, row.endpoint),
    notes: notesOn(row.delivery.id),
  }));
  if (!namesState(query)) return withTotal(queries, byKeys, list);
  const keysToo = namesKeys(query) ? byKeys.whole : null;
  return withTotal(queries, byState, list, ({ where }) =>
    keysToo
      ? sql`select 1 from ${deliveries} inner join ${keys} on ${keys.id} = ${deliveries.id} where ${and(where, keysToo.where)}`
      : sql`select 1 from ${deliveries} where ${where}`,
  );
}

/**
 * A delivery in the API's form. While its endpoint is not enabled no next attempt is shown, whatever the row
 * says.
 */
export function deliveryView(row: DeliveryRow, endpoint: ReceivingEndpoint): Delivery {
  const isCallback = endpoint.status === "callback";
  return {
    id: row.id,
    object: "webhook.delivery",
    event_id: row.eventId,
    event_type: row.eventType,
    endpoint_id: row.endpointId,
    endpoint_description: endpoint.description,
    url: isCallback ? shownCallbackUrl(row.url) : row.url,
    callback: isCallback,
    prediction_id: row.predictionId,
    status: row.status,
    trigger: triggerOf(row.trigger),
    attempts: row.attempts,
    max_attempts: maxDeliveryAttempts,
    last_error: row.lastError,
    last_status_code: row.lastStatusCode,
    next_attempt_at: acceptsNow(endpoint.status) ? (row.nextAttemptAt?.toISOString() ?? null) : null,
    waits_for: waitsFor(row, endpoint),
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    retry_of: row.retryOf,
    retried_as: row.retriedAs,
  };
}

/** A leased delivery is about to be sent, or waits in a worker until the endpoint's rate limit allows it. */
function waitsFor(
  { status, nextAttemptAt }: DeliveryRow,
  endpoint: ReceivingEndpoint,
): Delivery["waits_for"] {
  if (status === "waiting") return "endpoint";
  const isDue =
    (status === "pending" || status === "failed") &&
    nextAttemptAt !== null &&
    nextAttemptAt.getTime() <= clock.now();
  if (!isDue) return null;
  if (!acceptsNow(endpoint.status)) return "endpoint";
  return endpoint.ratePerSecond === null ? null : "rate";
}

function triggerOf(text: string): DeliveryTrigger {
  return deliveryTriggers.find((trigger) => trigger === text) ?? "automatic";
}

/**
 * Selects the ids first: otherwise a plan may scan deliveries in the order of ids until it reaches the page.
 * The column has the name of its table, so that the page's `order by` is also valid in the outer query.
 */
function pageByKeys(queries: Queries, page: Keyset) {
  const ids = queries
    .select({ id: keys.id })
    .from(keys)
    .where(page.where)
    .orderBy(page.order)
    .limit(page.limit)
    .as("webhook_delivery_keys");
  return rowsOf(queries).innerJoin(ids, eq(ids.id, deliveries.id)).orderBy(page.order);
}

function pageByState(queries: Queries, page: Keyset, byKeys: Keyset | null) {
  const rows = rowsOf(queries).orderBy(page.order).limit(page.limit);
  if (!byKeys) return rows.where(page.where);
  return rows.innerJoin(keys, eq(keys.id, deliveries.id)).where(and(page.where, byKeys.where));
}

/** The columns of an endpoint needed for a delivery's view. */
export const receivingEndpoint = {
  status: webhookEndpoints.status,
  description: webhookEndpoints.description,
  ratePerSecond: webhookEndpoints.ratePerSecond,
};

function rowsOf(queries: Queries) {
  return queries
    .select({ delivery: deliveries, endpoint: receivingEndpoint })
    .from(deliveries)
    .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
    .$dynamic();
}

/**
 * The number of deliveries by status, of those created since a time. A delivery that was retried manually is
 * left out, because its retry is counted.
 */
export async function countDeliveries(
  { database }: WebhookContext,
  accountId: string,
  sinceMs: number,
): Promise<Record<DeliveryStatus, Counted>> {
  const counted = { accountId, kind: "delivery", sinceMs } as const;
  const statuses = deliveryStatuses.filter((status) => !retryableDeliveryStatuses.includes(status));
  // Only failed deliveries can have been retried. All others are counted from the index, without reading
  // their rows.
  const [others, retryable] = await Promise.all([
    countByStatus(database, webhookDeliveries, { ...counted, statuses }),
    countByStatus(database, webhookDeliveries, {
      ...counted,
      statuses: retryableDeliveryStatuses,
      matching: isNull(webhookDeliveries.retriedAs),
    }),
  ]);
  return { ...others, ...retryable };
}

type AttemptRow = typeof webhookAttempts.$inferSelect;

/**
 * One delivery with all attempts. A reader who lacks an attestation sees neither the sent body nor the
 * receiver's answer, which may repeat it. Throws `delivery_not_found`.
 */
export async function getDelivery(
  context: WebhookContext,
  actor: Actor,
  id: string,
): Promise<DeliveryDetail> {
  const { queries } = context.database;
  const [row] = await queries
    .select({
      delivery: webhookDeliveries,
      endpoint: receivingEndpoint,
      body: webhookEvents.body,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, actor.accountId)));
  if (!row) throw deliveryNotFound(context, id);
  const attempts = await queries
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, id))
    .orderBy(asc(webhookAttempts.startedAt), asc(webhookAttempts.succeeded));
  const [shown] = row.body === null ? [] : await shownEvents(context, actor, [row.body]);
  const gated = shown?.gated ?? null;
  const withoutBodies = { request_body: null, response_body: null, response_headers: null };
  return {
    ...deliveryView(row.delivery, row.endpoint),
    gated,
    attempt_log: attempts.map((attempt) => ({
      ...attemptView(attempt, row.body),
      ...(gated !== null && withoutBodies),
    })),
  };
}

/** One attempt in the API's form; `body`: the event's fixed body, null once removed. */
function attemptView(row: AttemptRow, body: string | null): Attempt {
  return {
    id: row.id,
    number: row.number,
    started_at: row.startedAt.toISOString(),
    duration_ms: row.durationMs,
    url: row.url,
    remote_ip: row.remoteIp,
    // Every request has headers, so an empty record means that nothing was sent, or that the worker died and
    // this is unknown.
    request_headers: Object.keys(row.requestHeaders).length === 0 ? null : row.requestHeaders,
    request_body: body,
    response_status: row.responseStatus,
    response_headers: row.responseHeaders,
    response_body: row.responseBody,
    response_body_truncated: row.responseBodyTruncated,
    error_code: row.errorCode,
    error_detail: row.errorDetail,
    timings: row.timings,
  };
}

export function deliveryNotFound({ history }: WebhookContext, id: string): ApiError {
  return new ApiError(
    "delivery_not_found",
    `There is no such delivery.${forgottenNote(history, "delivery", id)}`,
  );
}
