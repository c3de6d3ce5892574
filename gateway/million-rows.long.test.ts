import { pino } from "pino";
import { expect, it } from "vitest";
import { firstIdAt, type IdKind } from "#contract/ids.ts";
import { createPrices } from "#gateway/billing/prices/book.ts";
import { listRequests } from "#gateway/billing/usage/usage.ts";
import type { Context } from "#gateway/districts.ts";
import { listDeliveries } from "#gateway/events/webhooks/deliveries/read.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { drizzle, migrate as migrateWithDrizzle } from "#gateway/platform/database/drizzle.ts";
import { migrateDatabase } from "#gateway/platform/database/migrate.ts";
import { connect } from "#gateway/platform/database/open.ts";
import {
  connectTo,
  emptyDatabase,
  migrationsOfReleaseBefore,
} from "#gateway/platform/database/testing/release-before.ts";
import { listPredictions } from "#gateway/runs/predictions/read.ts";
import { testConfig } from "#gateway/testing/config.ts";
import { fillLists, listCases, listsThatReadMuch } from "#gateway/testing/full-lists.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const rows = 200_000;
const account = "acct_01k00000000000000000000001";
const endpoint = "we_01k00000000000000000000001";
const yesterdayMs = Date.now() - 86_400_000;
/** Ids of yesterday that sort by `n`. */
const idOf = (kind: IdKind) => `'${firstIdAt(kind, yesterdayMs).slice(0, -10)}' || lpad(n::text, 10, '0')`;

const inserts = [
  `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, data_removed_at)
   select ${idOf("prediction")}, '${account}', 'svc/vid-t2v', 'video-generation', 'us-virginia', 'succeeded', now(), now()`,
  `insert into webhook_events (id, account_id, type, prediction_id, payload_expires_at)
   select ${idOf("event")}, '${account}', 'prediction.succeeded', ${idOf("prediction")}, now()`,
  `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, prediction_id, url, status, attempts)
   select ${idOf("delivery")}, '${account}', ${idOf("event")}, '${endpoint}', 'prediction.succeeded', ${idOf("prediction")},
     'https://x.example', 'delivered', 1`,
  `insert into webhook_attempts (id, delivery_id, endpoint_id, number, succeeded, started_at, url, request_headers)
   select ${idOf("attempt")}, ${idOf("delivery")}, '${endpoint}', 1, true, now(), 'https://x.example', '{}'`,
  `insert into request_logs (id, account_id, at, method, route, status, duration_ms)
   select ${idOf("request")}, '${account}', now(), 'POST', '/v1/videos', 202, 5`,
];

it("a database of the previous release with a million rows is migrated with progress, keeps all rows, and serves requests", async () => {
  const server = await emptyDatabase();
  const client = await connectTo(server);
  await migrateWithDrizzle(drizzle(client), { migrationsFolder: migrationsOfReleaseBefore() });
  await client.query("insert into accounts (id, name) values ($1, 'Old')", [account]);
  await client.query(
    "insert into webhook_endpoints (id, account_id, url, events) values ($1, $2, 'https://x.example', '{}')",
    [endpoint, account],
  );
  for (const insert of inserts) await client.query(`${insert} from generate_series(1, ${rows}) n`);

  const lines: { migration?: string }[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const applied = await migrateDatabase(server, log);
  expect(lines.map(({ migration }) => migration)).toEqual(expect.arrayContaining(applied));

  const database = await connect(server, log);
  const context = {
    database,
    config: testConfig(),
    prices: createPrices("USD"),
    catalog: createCatalog(),
  } as Context;
  const lists = [
    await listPredictions(context, { accountId: account, userId: null, answeredBy: null } as Actor, {
      model: "svc/vid-t2v",
    }),
    await listRequests(context, account, { status: 202 }),
    await listDeliveries(context, account, { status: "delivered" }),
  ];
  expect(lists.map(({ data, has_more }) => [data.length, has_more])).toEqual(Array(3).fill([20, true]));
  for (const table of [
    "predictions",
    "webhook_events",
    "webhook_delivery_keys",
    "webhook_attempts",
    "request_logs",
  ])
    expect((await client.query(`select count(*)::int as rows from ${table}`)).rows).toEqual([{ rows }]);
  // The old table has become the first partition, unchanged.
  const { rows: first } = await client.query("select count(*)::int as rows from webhook_attempts_first");
  expect(first).toEqual([{ rows }]);
  await database.close();
});

it("predictions by their deliveries and metadata, and deliveries by metadata, read few pages among a million rows", async () => {
  const million = 1_000_000;
  const gateway = await startTestGateway({ role: "api" });
  const { accountId } = await gateway.createAccount();
  const { pool } = gateway.context.database;
  await fillLists(pool, accountId, million, ["predictions", "webhook_deliveries"]);
  const cases = listCases(gateway.context, accountId, million).filter(([name]) =>
    /^(predictions|deliveries)\b/.test(name),
  );
  expect(cases.length).toBeGreaterThan(30);
  expect(await listsThatReadMuch(pool, cases)).toEqual([]);
  await gateway.close();
}, 900_000);
