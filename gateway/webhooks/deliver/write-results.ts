import type pg from "pg";
import { maxDeliveryAttempts } from "#contract/webhook.ts";
import { healthChanges, hourChanges } from "./health-change.ts";
import type { Result } from "./result.ts";

/*
 * One statement, so that attempt, delivery and health stand or fall together. Written twice (the first answer was
 * lost with the connection) it changes nothing the second time: attempts have their id, deliveries their lease, and
 * the counters ask whether the attempts were new. Not prepared, like the claim.
 */
const writeSql = `
with attempts as (
  insert into webhook_attempts (id, delivery_id, endpoint_id, number, succeeded, started_at, duration_ms, url,
    remote_ip, request_headers, response_status, response_headers, response_body, response_body_truncated,
    error_code, error_detail, timings)
  -- A third faster than jsonb_to_recordset, and attempts are most of what this statement is given.
  select a->>'id', a->>'delivery_id', a->>'endpoint_id', (a->>'number')::int, (a->>'succeeded')::boolean,
    (a->>'started_at')::timestamptz, (a->>'duration_ms')::float8, a->>'url', a->>'remote_ip', a->'request_headers',
    (a->>'response_status')::int, nullif(a->'response_headers', 'null'), a->>'response_body',
    (a->>'response_body_truncated')::boolean, a->>'error_code', a->>'error_detail', a->'timings'
  from jsonb_array_elements($1::jsonb) as a
  on conflict (delivery_id, id) do nothing
  returning id
),
changed as (
  update webhook_deliveries d set
    attempts = least(d.attempts + c.used, ${maxDeliveryAttempts}),
    status = case when c.next = 'unchanged' then d.status else c.next end,
    last_error = case when c.next = 'unchanged' then d.last_error else c.last_error end,
    last_status_code = case when c.used = 1 then c.last_status_code else d.last_status_code end,
    next_attempt_at = case when c.next in ('failed', 'unchanged') and d.retried_as is null
      then now() + c.retry_in_ms * interval '1 millisecond' end,
    delivered_at = case when c.next = 'delivered' then now() end,
    url = c.url,
    lease_owner = null,
    lease_expires_at = null
  from jsonb_to_recordset($2::jsonb) as c (id text, owner text, url text, used int, next text, retry_in_ms float8,
    last_error text, last_status_code int)
  where d.id = c.id and d.status in ('pending', 'failed') and (d.lease_owner = c.owner or c.next = 'delivered')
  returning d.id
),
hours as (
  insert into webhook_endpoint_hours as h (endpoint_id, hour, deliveries, delivered, failed)
  select n.* from jsonb_to_recordset($4::jsonb) as n (endpoint_id text, hour timestamptz, deliveries int,
    delivered int, failed int)
  where exists (select 1 from attempts)
  on conflict (endpoint_id, hour) do update set deliveries = h.deliveries + excluded.deliveries,
    delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed
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
where e.id = h.endpoint_id and exists (select 1 from attempts)
  -- The endpoint's row is locked last, when all else is done: another batch waits for that lock until the commit.
  and (select count(*) from changed) >= 0
returning e.id, e.status, e.failing_since as "failingSince"`;

/** An endpoint whose health a batch changed. */
export interface TouchedEndpoint {
  id: string;
  status: string;
  failingSince: Date | null;
}

/** Writes what attempts came to. All or nothing. */
export async function writeResults(pool: pg.Pool, results: readonly Result[]): Promise<TouchedEndpoint[]> {
  const written = await pool.query<TouchedEndpoint>(writeSql, [
    JSON.stringify(results.flatMap(({ attempt }) => attempt ?? [])),
    JSON.stringify(results.flatMap(({ change }) => change ?? [])),
    JSON.stringify(healthChanges(results)),
    JSON.stringify(hourChanges(results)),
  ]);
  return written.rows;
}
