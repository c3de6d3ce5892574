import { expect, it } from "vitest";
import { firstIdAt, type IdKind } from "#contract/ids.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { readHistory, warnOfEndlessHistory } from "#gateway/platform/database/history.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const dayMs = 86_400_000;
const gateway = shared(() => startTestGateway({ role: "api", historyDays: 7, auditDays: 50 }));
const account = shared(() => gateway.createAccount());

/** An id made this many days ago. */
const old = (kind: IdKind, days: number) => firstIdAt(kind, Date.now() - days * dayMs);
const query = (text: string, values: unknown[] = []) => gateway.context.database.pool.query(text, values);

async function insertPrediction(id: string, status: string, removed: boolean): Promise<string> {
  await query(
    `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, data_removed_at)
     values ($1, $2, 'svc/vid-t2v', 'video-generation', 'us-virginia', $3, now(), case when $4 then now() end)`,
    [id, account.accountId, status, removed],
  );
  return id;
}

/** An event with one delivery that was attempted once. */
async function insertEvent(days: number, body: string | null): Promise<string> {
  const { accountId } = account;
  const [event, delivery, endpoint] = [old("event", days), old("delivery", days), old("endpoint", days)];
  await query(
    "insert into webhook_endpoints (id, account_id, url, events) values ($1, $2, 'https://x.example', '{}')",
    [endpoint, accountId],
  );
  await query(
    `insert into webhook_events (id, account_id, type, body, payload_expires_at) values ($1, $2, 'endpoint.test', $3, now())`,
    [event, accountId, body],
  );
  await query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, status)
     values ($1, $2, $3, $4, 'endpoint.test', 'https://x.example', $5)`,
    [delivery, accountId, event, endpoint, body === null ? "dead-letter" : "waiting"],
  );
  await query(
    `insert into webhook_attempts (id, delivery_id, endpoint_id, number, succeeded, started_at, url, request_headers)
     values ($1, $2, $3, 1, false, now(), 'https://x.example', '{}')`,
    [old("attempt", days), delivery, endpoint],
  );
  return delivery;
}

async function sweepHistory(): Promise<void> {
  for (const sweep of gateway.context.sweeps)
    if (/history|attempts|usage_lines|audit|request_log/.test(sweep.kind))
      await sweepAll(gateway.context, sweep);
}

const statusOf = async (path: string) => (await call(gateway, account.key, "GET", path)).status;

it("data older than HISTORY_DAYS is removed, except rows that wait, run or have data", async () => {
  const gone = await insertPrediction(old("prediction", 8), "succeeded", true);
  const kept = [
    await insertPrediction(old("prediction", 6), "succeeded", true),
    await insertPrediction(old("prediction", 9), "processing", false),
    await insertPrediction(old("prediction", 10), "succeeded", false),
  ];
  const goneDelivery = await insertEvent(10, null);
  const keptDeliveries = [await insertEvent(6, null), await insertEvent(9, "{}")];
  await query(
    `insert into audit_logs (id, account_id, action, actor_type, actor_name)
     select id, $1, 'key.created', 'user', 'Owner' from unnest($2::text[]) id`,
    [account.accountId, [old("audit", 49), old("audit", 51)]],
  );
  await sweepHistory();

  const { status, body } = await call(gateway, account.key, "GET", `/predictions/${gone}`);
  expect(status).toBe(404);
  expect(body.error).toMatchObject({
    code: "prediction_not_found",
    message: expect.stringContaining("history is kept for 7 days"),
  });
  for (const id of kept) expect(await statusOf(`/predictions/${id}`)).toBe(200);
  const delivery = await call(gateway, account.key, "GET", `/webhooks/deliveries/${goneDelivery}`);
  expect(delivery.status).toBe(404);
  expect(JSON.stringify(delivery.body)).toContain("history is kept for 7 days");
  for (const id of keptDeliveries) expect(await statusOf(`/webhooks/deliveries/${id}`)).toBe(200);
  const rest = await query(
    `select (select count(*)::int from webhook_attempts) as attempts, (select count(*)::int from webhook_delivery_keys) as keys,
       (select count(*)::int from audit_logs where action = 'key.created' and actor_name = 'Owner') as audit`,
  );
  expect(rest.rows[0]).toEqual({ attempts: 2, keys: 2, audit: 1 });
});

it("a 404 for an id that never existed does not mention the history", async () => {
  const { body } = await call(gateway, account.key, "GET", `/predictions/${old("prediction", 1)}`);
  expect(JSON.stringify(body)).not.toContain("history");
});

it("a new installation keeps 30 and 400 days; data of an earlier release is all kept, and the log shows its size", async () => {
  const { database } = gateway.context;
  const unset = { historyDays: null, auditDays: null };
  expect(await readHistory(database, unset)).toEqual({ days: 30, requestLogDays: 30, auditDays: 400 });
  const zero = { historyDays: 0, auditDays: 0 };
  expect(await readHistory(database, zero)).toEqual({ days: null, requestLogDays: null, auditDays: null });
  await query("update installation set history_days = null, audit_days = null");
  const endless = await readHistory(database, unset);
  expect(endless).toEqual({ days: null, requestLogDays: 30, auditDays: null });
  await warnOfEndlessHistory(gateway.context, endless, unset);
  expect(gateway.logLines.join("")).toMatch(/history is kept forever and takes up \d+\.\d\d GB so far/);
  await query("update installation set history_days = 30, audit_days = 400");
});

it("shows how long history is kept, and its size, to callers who may read the audit log", async () => {
  const { body } = await call(gateway, account.session, "GET", "/account/history");
  expect(body).toMatchObject({ object: "history", days: 7, audit_days: 50 });
  expect(body.size_bytes).toBeGreaterThan(0);
});
