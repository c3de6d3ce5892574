import pg from "pg";
import { timeOfId } from "#contract/ids.ts";
import { maxDeliveryAttempts } from "#contract/webhook.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { drizzle } from "#gateway/platform/database/drizzle.ts";
import { type Columns, rowsAsJson, valuesIn } from "#gateway/platform/database/prepared.ts";
import * as schema from "#gateway/platform/database/schema.ts";
import { additionsAsJson, countAttempt, FigureSums } from "#gateway/platform/figures/sums.ts";
import type { AttemptResult, AttemptRow, DeliveryChange } from "./attempt-result.ts";

/** The columns of webhook_attempts, in the order of their values. */
const attemptColumns: Columns<AttemptRow> = {
  id: "text",
  delivery_id: "text",
  endpoint_id: "text",
  number: "integer",
  succeeded: "boolean",
  started_at: "timestamptz",
  duration_ms: "double precision",
  url: "text",
  remote_ip: "text",
  request_headers: "jsonb",
  response_status: "integer",
  response_headers: "jsonb",
  response_body: "text",
  response_body_truncated: "boolean",
  error_code: "text",
  error_detail: "text",
  timings: "jsonb",
};

const changeColumns: Columns<DeliveryChange> = {
  id: "text",
  owner: "text",
  url: "text",
  used: "integer",
  next: "text",
  retry_in_ms: "double precision",
  last_error: "text",
  last_status_code: "integer",
};

/**
 * PostgreSQL's error code for a duplicate key. The constraint's name cannot be compared, because each
 * partition has its own.
 */
const duplicate = "23505";
const attemptsTable = "webhook_attempts";

/*
 * One statement, so that attempt, delivery and health are saved together or not at all. Health and hours are
 * sorted by endpoint and a steady plan keeps that order, so batches of two processes lock in the same order;
 * changes are sorted by delivery, as in a bulk retry.
 */
const writeSql = `
with attempts as (
  insert into webhook_attempts (${Object.keys(attemptColumns)})
  select ${valuesIn("a", attemptColumns)} from jsonb_array_elements($1::jsonb) as a
  returning id
),
changed as (
  update webhook_deliveries d set
    attempts = least(d.attempts + c.used, ${maxDeliveryAttempts}),
    status = case
      when c.next = 'unchanged' or d.status = 'canceled' and c.next <> 'delivered' then d.status
      when c.next = 'failed' and d.status = 'waiting' then d.status
      else c.next end,
    last_error = case when c.next = 'unchanged' then d.last_error else c.last_error end,
    last_status_code = case when c.used = 1 then c.last_status_code else d.last_status_code end,
    next_attempt_at = case when c.next in ('failed', 'unchanged') and d.retried_as is null and d.status in ('pending', 'failed')
      then now() + c.retry_in_ms * interval '1 millisecond' end,
    delivered_at = case when c.next = 'delivered' then now() end,
    url = c.url,
    lease_owner = null,
    lease_expires_at = null
  from (select ${valuesIn("c", changeColumns)} from jsonb_array_elements($2::jsonb) as c) as c
  -- A case, so that only the primary key can be used: a plan made while the queue was empty would keep an index by status.
  where d.id = c.id and case when d.status in ('pending', 'waiting', 'failed', 'canceled') then d.lease_owner = c.owner or c.next = 'delivered' end
  returning d.id
),
hours as (
  insert into webhook_endpoint_hours as h (endpoint_id, hour, deliveries, delivered, failed)
  select n.* from jsonb_to_recordset($4::jsonb) as n (endpoint_id text, hour timestamptz, deliveries int,
    delivered int, failed int)
  on conflict (endpoint_id, hour) do update set deliveries = h.deliveries + excluded.deliveries,
    delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed
),
figures as (
  insert into figure_additions select * from json_populate_recordset(null::figure_additions, $5::json)
)
update webhook_endpoints e set
  consecutive_failures = h.failures + case when h.recovered then 0 else e.consecutive_failures end,
  failing_since = case
    when h.recovered then h.failing_since
    else coalesce(e.failing_since, h.failing_since) end,
  last_success_at = coalesce(h.succeeded_at, e.last_success_at),
  last_failure_at = coalesce(h.failed_at, e.last_failure_at)
from jsonb_to_recordset($3::jsonb) as h (endpoint_id text, recovered boolean, failures int,
  failing_since timestamptz, succeeded_at timestamptz, failed_at timestamptz)
where e.id = h.endpoint_id
  -- Forces the other parts to run first, so that the endpoint's row, for which other batches wait, is locked as late as possible.
  and (select count(*) from attempts) + (select count(*) from changed) >= 0
returning e.id, e.status, e.failing_since as "failingSince", e.consecutive_failures as "consecutiveFailures",
  e.failing_told_at as "failingToldAt", e.last_success_at as "lastSuccessAt"`;

/** An endpoint whose health a batch changed. */
export interface TouchedEndpoint {
  id: string;
  status: string;
  failingSince: Date | null;
  consecutiveFailures: number;
  failingToldAt: Date | null;
  lastSuccessAt: Date | null;
}

/** Called with the ids of new dead letters, in the transaction that saves them. */
type AfterDeadLetters = (queries: Queries, deliveryIds: string[]) => Promise<unknown>;

/**
 * Writes the results of attempts, all or nothing. `pool` must come from `openSteadyPool`. Safe to repeat
 * after a lost connection: an attempt that already exists proves that its whole batch was saved.
 */
export async function saveResults(
  pool: pg.Pool,
  results: readonly AttemptResult[],
  afterDeadLetters: AfterDeadLetters = async () => {},
): Promise<TouchedEndpoint[]> {
  const attempts = results.flatMap(({ attempt }) => attempt ?? []);
  const changes = results.flatMap(({ change }) => change ?? []).sort(byId);
  const values = [
    rowsAsJson(attemptColumns, attempts),
    rowsAsJson(changeColumns, changes),
    JSON.stringify(healthChanges(results)),
    JSON.stringify(hourChanges(results)),
    additionsAsJson(figuresOfAttempts(results)),
  ];
  const dead = changes.filter(({ next }) => next === "dead-letter").map(({ id }) => id);
  const statement = { name: "write-results", text: writeSql, values };
  try {
    if (dead.length === 0) return (await pool.query<TouchedEndpoint>(statement)).rows;
    return await inTransaction(pool, async (client) => {
      const { rows } = await client.query<TouchedEndpoint>(statement);
      await afterDeadLetters(drizzle(client, { schema }), dead);
      return rows;
    });
  } catch (error) {
    if (isSavedAlready(error)) return [];
    throw error;
  }
}

async function inTransaction<Result>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin");
    const result = await run(client);
    await client.query("commit");
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection in an unknown state is closed, which rolls it back.
    client.release(failure);
  }
}

function isSavedAlready(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === duplicate &&
    error.table?.startsWith(attemptsTable) === true
  );
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

/** The change of one endpoint's health by a batch, in the form that the writing statement reads. */
interface HealthChange {
  endpoint_id: string;
  /** Whether the batch includes a success: the endpoint's failures before it then no longer count. */
  recovered: boolean;
  /** Failures since the last success in the batch, or all failures without one. */
  failures: number;
  failing_since: string | null;
  succeeded_at: string | null;
  failed_at: string | null;
}

interface HourChange {
  endpoint_id: string;
  hour: string;
  deliveries: number;
  delivered: number;
  failed: number;
}

/**
 * Combines results, in order, into one change per endpoint; sorted, so that all writers lock in the same
 * order.
 */
function healthChanges(results: readonly AttemptResult[]): HealthChange[] {
  const changes = new Map<string, HealthChange>();
  for (const { attempt, countsForHealth } of results) {
    if (!attempt || !countsForHealth) continue;
    const change = changes.get(attempt.endpoint_id) ?? {
      endpoint_id: attempt.endpoint_id,
      recovered: false,
      failures: 0,
      failing_since: null,
      succeeded_at: null,
      failed_at: null,
    };
    if (attempt.succeeded) {
      change.recovered = true;
      change.failures = 0;
      change.failing_since = null;
      change.succeeded_at = attempt.started_at;
    } else {
      change.failures += 1;
      change.failing_since ??= attempt.started_at;
      change.failed_at = attempt.started_at;
    }
    changes.set(attempt.endpoint_id, change);
  }
  return sorted(changes);
}

/** Counts the results of attempts per endpoint and hour, including manual retries and tests. */
function hourChanges(results: readonly AttemptResult[]): HourChange[] {
  const changes = new Map<string, HourChange>();
  for (const { attempt, change: delivery } of results) {
    if (!attempt || !delivery || delivery.used === 0) continue;
    const hour = `${attempt.started_at.slice(0, 13)}:00:00Z`;
    const key = `${attempt.endpoint_id} ${hour}`;
    const change = changes.get(key) ?? {
      endpoint_id: attempt.endpoint_id,
      hour,
      deliveries: 0,
      delivered: 0,
      failed: 0,
    };
    if (attempt.number === 1) change.deliveries += 1;
    if (attempt.succeeded) change.delivered += 1;
    else change.failed += 1;
    changes.set(key, change);
  }
  return sorted(changes);
}

function sorted<Change>(changes: Map<string, Change>): Change[] {
  return [...changes.keys()].sort().flatMap((key) => changes.get(key) ?? []);
}

/** Counts attempts, and for successful ones the time since their event. */
function figuresOfAttempts(results: readonly AttemptResult[]): FigureSums {
  const sums = new FigureSums();
  for (const { attempt, accountId, eventId } of results) {
    if (!attempt || accountId === undefined || eventId === undefined) continue;
    const startedAt = Date.parse(attempt.started_at);
    const answerMs = attempt.duration_ms;
    const arrivedAt = startedAt + (answerMs ?? 0);
    countAttempt(sums, accountId, startedAt, {
      code: attempt.error_code ?? "",
      answerMs,
      queueMs: attempt.succeeded ? arrivedAt - timeOfId(eventId) : null,
    });
  }
  return sums;
}
