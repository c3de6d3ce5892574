import { beforeAll, expect, test } from "vitest";
import { newId } from "#contract/ids.ts";
import type { DeliveryQuery } from "#contract/webhook.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startScene } from "../testing/scene.ts";
import { readDeliveriesOf } from "./of-predictions.ts";
import { listDeliveries } from "./read.ts";

const rows = 200_000;
/** Small enough that a statement stays below 30 s on a busy machine. */
const chunk = 25_000;
const insertDeliveries = `
  insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, prediction_id, url, status,
    trigger, attempts, last_error, last_status_code, retried_as)
  select 'dlv_01k' || lpad(n::text, 23, '0'), $1, 'evt_' || (n / 4 + 1), $2,
    case when n % 1000 = 0 then 'prediction.failed' else 'prediction.succeeded' end,
    'pred_' || (n / 4), $3,
    case when n % 5000 = 0 then 'dead-letter' when n % 20 = 0 then 'failed' when n % 10 = 0 then 'canceled' else 'delivered' end, 'manual', 1,
    case when n % 5000 = 0 then 'tls_error' end,
    case when n % 3000 = 0 then 404 when n % 5000 = 0 then null else 200 + n % 4 end,
    case when n % 5000 > 0 and n % 20 = 0 and n % 21000 > 0 then 'dlv_' || n end
  from generate_series($4::int, $5::int) n`;
let statements: string[] = [];

const scene = shared(() => startScene({}, { worker: false }));
beforeAll(async () => {
  const endpoint = await scene.createEndpoint();
  const { pool } = scene.context.database;
  await pool.query(
    `insert into webhook_events (id, account_id, type, body, payload_expires_at)
     select 'evt_' || n, $1, 'prediction.succeeded', '{}', now() from generate_series(1, ${rows / 4}) n`,
    [scene.account.accountId],
  );
  // Rare and common values of every filter, with ids that sort by time like real ones.
  for (let first = 1; first < rows - 4; first += chunk)
    await pool.query(insertDeliveries, [
      scene.account.accountId,
      endpoint.id,
      endpoint.url,
      first,
      Math.min(first + chunk, rows - 3) - 1,
    ]);
  await pool.query("vacuum analyze webhook_deliveries, webhook_delivery_keys");
  await pool.query("analyze webhook_endpoints");
  const query = pool.query.bind(pool);
  scene.context.database.pool.query = ((config: { text?: string }, values: unknown[]) => {
    if (config.text) statements.push(JSON.stringify({ text: config.text, values }));
    return query(config as never, values as never);
  }) as typeof pool.query;
}, 120_000);

const filters: [string, DeliveryQuery][] = [
  ["none", {}],
  ["id", { id: newId("delivery") }],
  ["event_id", { event_id: "evt_17" }],
  ["prediction_id", { prediction_id: "pred_17" }],
  ["a rare status", { status: "dead-letter" }],
  ["a common status", { status: "delivered" }],
  ["a status that no row has", { status: "pending" }],
  ["failed, and rarely not sent again", { status: "failed", retried: false }],
  ["failed, and mostly sent again", { status: "failed", retried: true }],
  ["sent again", { retried: true }],
  ["a dead letter that was not sent again", { status: "dead-letter", retried: false }],
  ["a rare type", { event_type: "prediction.failed" }],
  ["a common type", { event_type: "prediction.succeeded" }],
  ["a rare class", { status_class: "4xx" }],
  ["a common class", { status_class: "2xx" }],
  ["an absent class", { status_class: "5xx" }],
  ["an error code", { error_code: "tls_error" }],
  ["an absent error code", { error_code: "timeout" }],
  ["time", { created_after: "2026-01-01T00:00:00Z", created_before: "2026-12-01T00:00:00Z" }],
  ["an earlier page", { before: `dlv_01k${"0".repeat(18)}99999` }],
  ["a later page", { after: `dlv_01k${"0".repeat(18)}99999` }],
];

/** For each row that matches the rarer filter, the other one is looked up. */
const combined: [string, DeliveryQuery][] = [
  ["a rare status of a common type", { status: "dead-letter", event_type: "prediction.succeeded" }],
  ["a common status of a rare type", { status: "delivered", event_type: "prediction.failed" }],
  ["a common status of a common type", { status: "delivered", event_type: "prediction.succeeded" }],
  ["a status of an event", { status: "delivered", event_id: "evt_17" }],
];

test.each(filters)("the first page with %s reads only a small part of an index", async (_name, filter) => {
  await expectPages(filter, 150);
});

test.each(combined)("the first page with %s reads no more than the rarer has", async (_name, filter) => {
  await expectPages(filter, 1000);
});

test.each([
  ["a prediction", { predictionId: "pred_17" }],
  ["a prediction without any", { predictionId: "pred_none" }],
  ["events", { once: ["resp_17 ended", "resp_17 callback"] }],
])("a receipt finds the deliveries of %s and reads no others", async (_name, of) => {
  const { queries } = scene.context.database;
  await expectReads(() => readDeliveriesOf(queries, scene.account.accountId, of), 60);
});

/** Expects the list to read at most this many database pages. */
async function expectPages(filter: DeliveryQuery, most: number): Promise<void> {
  await expectReads(() => listDeliveries(scene.context, scene.account.accountId, filter), most);
}

async function expectReads(read: () => Promise<unknown>, most: number): Promise<void> {
  statements = [];
  await read();
  const { text, values } = JSON.parse(statements.find((one) => one.includes("webhook_deliveries")) ?? "{}");
  const { rows: plan } = await scene.context.database.pool.query<{ "QUERY PLAN": string }>(
    `explain (analyze, buffers, timing off) ${text}`,
    values,
  );
  const lines = plan.map((line) => line["QUERY PLAN"]);
  expect(lines.join("\n")).not.toMatch(/Seq Scan on webhook_deliver/);
  const hit = /shared hit=(\d+)(?: read=(\d+))?/.exec(lines.find((line) => line.includes("Buffers")) ?? "");
  expect(Number(hit?.[1] ?? 0) + Number(hit?.[2] ?? 0), lines.join("\n")).toBeLessThan(most);
}
