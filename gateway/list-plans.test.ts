import { beforeAll, expect, it } from "vitest";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { listBatches } from "#gateway/runs/batches/read.ts";
import { shared } from "#gateway/testing/fixture.ts";
import {
  fillLists,
  listCases,
  listsThatReadMuch,
  pagesOf,
  watchStatements,
} from "#gateway/testing/full-lists.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const rows = 60_000;

let accountId: string;

const gateway = shared(() => startTestGateway({ role: "api" }));
beforeAll(async () => {
  ({ accountId } = await gateway.createAccount());
  await fillLists(gateway.context.database.pool, accountId, rows);
}, 120_000);

it("every list reads few pages with every filter, however many rows match", async () => {
  const cases = listCases(gateway.context, accountId, rows);
  expect(await listsThatReadMuch(gateway.context.database.pool, cases)).toEqual([]);
}, 120_000);

it("predictions with undelivered events are found as quickly beside an account with many of them", async () => {
  const { pool } = gateway.context.database;
  const neighbour = await gateway.createAccount();
  await pool.query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, prediction_id, url, status, trigger, attempts)
     select 'dlv_02k' || lpad(n::text, 23, '0'), $1, 'evt_02k' || lpad(n::text, 23, '0'), 'we_1', 'prediction.succeeded',
       'pred_02k' || lpad(n::text, 23, '0'), 'https://x.example', case when n % 10 = 0 then 'dead-letter' else 'delivered' end,
       'automatic', 1 from generate_series(1, $2::int) n`,
    [neighbour.accountId, rows],
  );
  await pool.query("vacuum analyze webhook_deliveries");
  const cases = listCases(gateway.context, accountId, rows);
  const undelivered = cases.filter(([name]) => name.includes("undelivered"));
  expect(await listsThatReadMuch(pool, undelivered)).toEqual([]);
}, 120_000);

it("predictions with undelivered events are found as quickly when no event arrives any more", async () => {
  const { pool } = gateway.context.database;
  await pool.query("update webhook_deliveries set status = 'failed' where status = 'delivered'");
  await pool.query("vacuum analyze webhook_deliveries");
  const cases = listCases(gateway.context, accountId, rows);
  const undelivered = cases.filter(([name]) => name.includes("undelivered"));
  expect(await listsThatReadMuch(pool, undelivered)).toEqual([]);
}, 120_000);

it("the pictures of batches cost few pages, however many rows their batches have", async () => {
  const { pool } = gateway.context.database;
  const perBatch = 1_000;
  await pool.query(
    `insert into batches (id, account_id, model, api_type, status, concurrency, columns, billing_unit, deadline_at)
     select 'batch_01k' || lpad(n::text, 23, '0'), $1, 'svc/img-gen-a-1', 'image-generation', 'finished', 4,
       '[]', 'generation', now() from generate_series(1, $2::int) n`,
    [accountId, rows / perBatch],
  );
  // Only the last rows succeeded.
  await pool.query(
    `insert into batch_rows (batch_id, row, model, status, files)
     select 'batch_01k' || lpad((1 + n / $2::int)::text, 23, '0'), 1 + n % $2::int, 'svc/img-gen-a-1',
       case when n % $2::int < $2::int - 5 then 'failed' else 'succeeded' end, '[]' from generate_series(0, $1::int - 1) n`,
    [rows, perBatch],
  );
  await pool.query("vacuum analyze batch_rows");
  const statements = watchStatements(pool);
  const list = await listBatches(gateway.context, { accountId } as Partial<Actor> as Actor, { limit: 50 });
  expect(list.data.map(({ pictures }) => pictures)).toEqual(Array(50).fill([]));
  const ofFiles = statements.take().filter(({ text }) => text.includes('"files"'));
  expect(ofFiles).toHaveLength(1);
  for (const statement of ofFiles) expect(await pagesOf(pool, statement)).toMatchObject({ isMuch: false });
}, 120_000);
