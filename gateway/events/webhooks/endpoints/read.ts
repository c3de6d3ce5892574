import type { List } from "#contract/list.ts";
import type {
  Endpoint,
  EndpointCreate,
  EndpointHealth,
  EndpointQuery,
  EndpointWithSecret,
} from "#contract/webhook.ts";
import { failuresUntilReported } from "#contract/webhook-constants.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import {
  and,
  count,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  or,
  sql,
} from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { foundBy } from "#gateway/platform/database/metadata-filter.ts";
import {
  apiKeys,
  webhookDeliveries as deliveries,
  webhookEndpointHours,
  webhookEndpoints,
  webhookSecrets,
} from "#gateway/platform/database/schema.ts";
import { isListed, isReceiving, isThere } from "#gateway/platform/database/tables/webhooks.ts";
import { livePairs } from "../secrets.ts";
import type { WebhookContext } from "../webhook-context.ts";

/** The account's endpoints, newest first or with the most failures first, each with its health. */
export async function listEndpoints(
  context: WebhookContext,
  accountId: string,
  query: EndpointQuery,
): Promise<List<Endpoint>> {
  const { queries } = context.database;
  const among = eq(webhookEndpoints.accountId, accountId);
  const page = keyset(
    "endpoint",
    webhookEndpoints.id,
    query,
    [
      among,
      sql.raw(isListed()),
      query.status && isInCondition(query.status),
      foundBy(query.search, {
        idColumn: webhookEndpoints.id,
        among,
        texts: [webhookEndpoints.description, webhookEndpoints.url],
      }),
    ],
    query.sort === "failures" ? { column: webhookEndpoints.consecutiveFailures, among } : undefined,
  );
  return readPage(queries, page, queries.select().from(webhookEndpoints).$dynamic(), (rows) =>
    endpointViews(queries, rows),
  );
}

/** As many endpoints as the list has with this condition. */
export function countInCondition(
  queries: Queries,
  accountId: string,
  condition: NonNullable<EndpointQuery["status"]>,
): Promise<number> {
  return queries.$count(
    webhookEndpoints,
    and(eq(webhookEndpoints.accountId, accountId), sql.raw(isListed()), isInCondition(condition)),
  );
}

function isInCondition(condition: NonNullable<EndpointQuery["status"]>) {
  const { status, consecutiveFailures } = webhookEndpoints;
  return condition === "failing"
    ? and(eq(status, "enabled"), gte(consecutiveFailures, failuresUntilReported))
    : eq(status, condition);
}

const hourMs = 3_600_000;

const hoursShown = 24;

type HourRow = typeof webhookEndpointHours.$inferSelect;

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

export type SecretRow = typeof webhookSecrets.$inferSelect;

/** Endpoints, each with its health. */
async function endpointViews(queries: Queries, rows: EndpointRow[]): Promise<Endpoint[]> {
  const ids = rows.map(({ id }) => id);
  const [secrets, more] = await Promise.all([liveSecrets(queries, ids), conditionOf(queries, rows)]);
  return rows.map((row) => endpointView(row, secrets.get(row.id) ?? [], more.get(row.id)));
}

/** An endpoint in the API's form, with only a hint of its secrets. `secrets`: the valid ones. */
export function endpointView(
  row: EndpointRow,
  secrets: readonly SecretRow[],
  more: Pick<Endpoint, "health" | "waiting_deliveries" | "resumed" | "warning"> = {},
): Endpoint {
  const current = secrets.find((secret) => secret.expiresAt === null);
  const previous = secrets
    .flatMap(({ id, hint, expiresAt }) =>
      expiresAt ? { id, hint, expires_at: expiresAt.toISOString() } : [],
    )
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map(({ hint, expires_at }) => ({ hint, expires_at }));
  return {
    id: row.id,
    object: "webhook.endpoint",
    url: row.url,
    description: row.description,
    events: row.events,
    status: row.status,
    disabled_reason: row.disabledReason,
    headers: (row.headers?.names ?? []).map((name) => ({ name })),
    rate_per_second: row.ratePerSecond,
    models: row.models,
    keys: row.keyIds,
    secret_hint: current?.hint ?? "",
    previous_secret_expires_at: previous[0]?.expires_at ?? null,
    previous_secrets: previous,
    public_keys: livePairs(row.signatureKeys, clock.now()).map(({ publicKey, expiresAt }) => ({
      key: `whpk_${publicKey}`,
      expires_at: expiresAt,
    })),
    ...more,
    created_at: row.createdAt.toISOString(),
  };
}

/** Counting stops at this number, because a console page reads the count again and again. */
const maxCounted = 10_000;

/** Each endpoint's health of the last 24 hours, and the number of its waiting deliveries. */
export async function conditionOf(
  queries: Queries,
  endpoints: readonly EndpointRow[],
): Promise<Map<string, { health: EndpointHealth; waiting_deliveries: number }>> {
  const stopped = endpoints.filter(({ status }) => status !== "enabled").map(({ id }) => id);
  const paced = endpoints.filter((one) => one.status === "enabled" && one.ratePerSecond !== null);
  const [health, held, due] = await Promise.all([
    healthOf(queries, endpoints),
    countWaiting(queries, stopped),
    countDue(
      queries,
      paced.map(({ id }) => id),
    ),
  ]);
  const waiting = new Map([...held, ...due]);
  return new Map(
    [...health].map(([id, one]) => [id, { health: one, waiting_deliveries: waiting.get(id) ?? 0 }]),
  );
}

/** The number of waiting deliveries of each of these endpoints. */
async function countWaiting(queries: Queries, endpointIds: string[]): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await queries
    .select({ endpointId: deliveries.endpointId, waiting: count() })
    .from(deliveries)
    .where(and(inArray(deliveries.endpointId, endpointIds), eq(deliveries.status, "waiting")))
    .groupBy(deliveries.endpointId);
  return new Map(rows.map(({ endpointId, waiting }) => [endpointId, waiting]));
}

/**
 * The number of due deliveries of each of these endpoints, up to 10,000. Counts what another transaction queued after
 * this one had started.
 */
export async function countDue(queries: Queries, endpointIds: string[]): Promise<Map<string, number>> {
  if (endpointIds.length === 0) return new Map();
  const { rows } = await queries.execute<{ id: string; due: number }>(sql`
    select e.id, (select count(*)::int from (
      select from webhook_deliveries where endpoint_id = e.id and status in ('pending', 'failed')
        and next_attempt_at <= statement_timestamp() limit ${maxCounted}) as d) as due
    from unnest(${sql.param(endpointIds)}::text[]) as e (id)`);
  return new Map(rows.map(({ id, due }) => [id, due]));
}

async function healthOf(
  queries: Queries,
  endpoints: readonly EndpointRow[],
): Promise<Map<string, EndpointHealth>> {
  if (endpoints.length === 0) return new Map();
  const firstHour = Math.floor(clock.now() / hourMs) * hourMs - (hoursShown - 1) * hourMs;
  const rows = await queries
    .select()
    .from(webhookEndpointHours)
    .where(
      and(
        inArray(
          webhookEndpointHours.endpointId,
          endpoints.map((endpoint) => endpoint.id),
        ),
        gte(webhookEndpointHours.hour, new Date(firstHour)),
      ),
    );
  const byEndpoint = Map.groupBy(rows, (row) => row.endpointId);
  return new Map(
    endpoints.map((endpoint) => [
      endpoint.id,
      healthView(endpoint, byEndpoint.get(endpoint.id) ?? [], firstHour),
    ]),
  );
}

function healthView(endpoint: EndpointRow, rows: readonly HourRow[], firstHour: number): EndpointHealth {
  const sum = (count: (row: HourRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  const delivered = sum((row) => row.delivered);
  const finished = delivered + sum((row) => row.failed);
  const byHour = new Map(rows.map((row) => [row.hour.getTime(), row]));
  return {
    deliveries_24h: sum((row) => row.deliveries),
    success_rate_24h: finished === 0 ? null : delivered / finished,
    consecutive_failures: endpoint.consecutiveFailures,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    last_failure_at: endpoint.lastFailureAt?.toISOString() ?? null,
    hourly: Array.from({ length: hoursShown }, (_, index) => {
      const at = firstHour + index * hourMs;
      const row = byHour.get(at);
      return { at: new Date(at).toISOString(), delivered: row?.delivered ?? 0, failed: row?.failed ?? 0 };
    }),
  };
}

/** The valid secrets of these endpoints, by endpoint. */
export async function liveSecrets(
  queries: Queries,
  endpointIds: string[],
): Promise<Map<string, SecretRow[]>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await queries
    .select()
    .from(webhookSecrets)
    .where(
      and(
        inArray(webhookSecrets.endpointId, endpointIds),
        or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, sql`now()`)),
      ),
    );
  return Map.groupBy(rows, (row) => row.endpointId);
}

/** One endpoint with its health. Throws `endpoint_not_found`. */
export async function getEndpoint(context: WebhookContext, accountId: string, id: string): Promise<Endpoint> {
  const { queries } = context.database;
  const rows = await queries.select().from(webhookEndpoints).where(ownEndpoint(accountId, id));
  const [view] = await endpointViews(queries, rows);
  if (!view) throw endpointNotFound();
  return view;
}

/** Matches one endpoint of the account that was not deleted. */
export function ownEndpoint(accountId: string, id: string) {
  return and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.accountId, accountId), sql.raw(isListed()));
}

export function endpointNotFound(): ApiError {
  return new ApiError("endpoint_not_found", "There is no such webhook endpoint.");
}

/** The account's endpoint, locked until the transaction ends. Throws `endpoint_not_found`. */
export async function lockEndpoint(queries: Queries, accountId: string, id: string): Promise<EndpointRow> {
  const [row] = await queries
    .select()
    .from(webhookEndpoints)
    .where(ownEndpoint(accountId, id))
    .for("no key update");
  if (!row) throw endpointNotFound();
  return row;
}

/** The only view that contains the secret. */
export function endpointWithSecret(
  row: EndpointRow,
  secrets: readonly SecretRow[],
  secret: string,
): EndpointWithSecret {
  return { ...endpointView(row, secrets), secret };
}

type Filters = Pick<typeof webhookEndpoints.$inferInsert, "models" | "keyIds">;

/**
 * The columns of the filters in a request. Keys must belong to the account, revoked ones included; any model
 * is accepted, because it may be added later. Throws `invalid_parameter`.
 */
export async function filterColumns(
  queries: Queries,
  accountId: string,
  { models, keys }: Pick<EndpointCreate, "models" | "keys">,
): Promise<Filters> {
  if (keys) await assertOwnKeys(queries, accountId, keys);
  return { ...(models !== undefined && { models }), ...(keys !== undefined && { keyIds: keys }) };
}

async function assertOwnKeys(queries: Queries, accountId: string, ids: string[]): Promise<void> {
  const rows = await queries
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, ids)));
  const own = new Set(rows.map(({ id }) => id));
  const unknown = ids.find((id) => !own.has(id));
  if (unknown !== undefined) throw invalidParameter("keys", `This account has no key ${unknown}.`);
}

/** The facts of an event that endpoints can filter by. */
export interface EventSource {
  model: string;
  keyId: string | null;
}

/** Whether an endpoint wants the events of this model and key; events without either pass every filter. */
export function passesFilters(
  { models, keyIds }: { models: string[] | null; keyIds: string[] | null },
  source: EventSource | undefined,
): boolean {
  if (!source) return true;
  if (models && !models.includes(source.model)) return false;
  return !keyIds || (source.keyId !== null && keyIds.includes(source.keyId));
}

const backInQueue = {
  status: sql`case when attempts > 0 then 'failed' else 'pending' end`,
  nextAttemptAt: sql`created_at`,
};

/*
 * Corrects deliveries that a concurrent transaction wrote while their endpoint was enabled or disabled (a
 * saved result, an emitted event). Locks the endpoints until the deliveries are corrected.
 */
export const waitingSweepSql = [
  `with stopped as (
     select id from webhook_endpoints where ${isThere()} and not ${isReceiving()} order by id for share
   ),
   late as (
     select d.id from stopped s cross join lateral (
       select id from webhook_deliveries
       where endpoint_id = s.id and status in ('pending', 'failed') and next_attempt_at is not null
       for update skip locked
     ) d
   )
   update webhook_deliveries d set status = 'waiting', next_attempt_at = null from late where d.id = late.id`,
  `update webhook_deliveries d
   set status = case when d.attempts > 0 then 'failed' else 'pending' end, next_attempt_at = d.created_at
   from webhook_endpoints e
   where d.status = 'waiting' and e.id = d.endpoint_id and ${isReceiving("e")}`,
];

/**
 * Undelivered events of a disabled endpoint get the status `waiting`: they leave the queue, so that they cost
 * the workers nothing. A delivery whose attempt is in flight waits too, and keeps its lease until the attempt
 * ends: after a success it is delivered, after a failure it keeps waiting. A delivery being written at this
 * moment is left to the sweep.
 */
export async function holdDeliveries(queries: Queries, endpointId: string): Promise<void> {
  const due = queries
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.endpointId, endpointId),
        inArray(deliveries.status, ["pending", "failed"]),
        isNotNull(deliveries.nextAttemptAt),
      ),
    )
    .for("update", { skipLocked: true });
  await queries
    .update(deliveries)
    .set({ status: "waiting", nextAttemptAt: null })
    .where(inArray(deliveries.id, due));
}

/** Sends an endpoint's waiting deliveries, oldest first, or drops them. Returns their number. */
export async function resumeDeliveries(
  queries: Queries,
  endpointId: string,
  action: "send" | "drop",
): Promise<number> {
  const changed = await queries
    .update(deliveries)
    .set(action === "send" ? backInQueue : { status: "canceled" })
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.status, "waiting")));
  return changed.rowCount ?? 0;
}
