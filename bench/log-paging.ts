import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { decodeTime, encodeTime } from "ulid";
import { permissions } from "#contract/accounts/permissions.ts";
import { newId } from "#contract/ids.ts";
import { operatorUsageGroups } from "#contract/operator/usage.ts";
import { usageGroups } from "#contract/usage.ts";
import type { DeliveryQuery } from "#contract/webhook.ts";
import { createPrices } from "#gateway/billing/prices/book.ts";
import { usageFile } from "#gateway/billing/usage/export-usage.ts";
import { listUsage } from "#gateway/billing/usage/list-usage.ts";
import type { Context } from "#gateway/districts.ts";
import { predictionGroup } from "#gateway/edges/search/search.ts";
import { listDeliveries } from "#gateway/events/webhooks/deliveries/read.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import { listOperatorUsage } from "#gateway/models/configuration/usage/usage.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { readConfig } from "#gateway/platform/core/config.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { accounts, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { readSummary } from "#gateway/runs/predictions/predictions.ts";
import { fillLists, listCases, withIndexesLast } from "#gateway/testing/full-lists.ts";
import { median, ratioOf, verdict } from "./parts/figures.ts";

/*
 * The first page of every list, and of the delivery log with a million rows compared with a thousand. Each
 * filter has one value that most rows have and one that only the oldest forty rows have. Two embedded servers
 * as shipped, in turns. Only the function behind the route is called, because the same HTTP cost on both
 * sides would make the ratio look better.
 */
const sizes = { small: 1_000, large: Number(process.env.BENCH_ROWS ?? 1_000_000) };
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const calls = Number(process.env.BENCH_CALLS ?? 60);
/** `BENCH_PARTS`, such as `lists,search` or `usage`: only these parts, with the rows that they need. */
const isPart = (...names: string[]) =>
  names.some((name) => (process.env.BENCH_PARTS ?? name).split(",").includes(name));
const goal = 1.5;
/** The limit for adding up a table of sums, which reads the whole table. */
const goalMs = 500;
const summaryGoalMs = 50;
const search = { prompts: 10_000, calls: 20, goalMs: 150 };
const chunk = 20_000;
const rare = 40;
const everyMs = 1_000;
const firstMs = Date.UTC(2026, 0, 1);
const names = {
  account: newId("account"),
  ofLog: newId("account"),
  common: newId("endpoint"),
  rare: newId("endpoint"),
};
const url = "https://hooks.example.com/gatehouse";

const deliveryId = (n: number) =>
  `dlv_${encodeTime(firstMs + n * everyMs, 10).toLowerCase()}${String(n).padStart(16, "0")}`;

const insertSql = `
  insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, prediction_id, url, status,
    trigger, attempts, last_error, last_status_code, created_at)
  select id, $1, 'evt_' || (n / 4), case when n < ${rare} then $3 else $2 end,
    case when n < ${rare} then 'prediction.failed' when n % 20 = 1 then 'prediction.canceled'
      else 'prediction.succeeded' end,
    'pred_' || (n / 4), $4,
    case when n < ${rare} then 'canceled' when n % 10 = 0 then 'dead-letter' else 'delivered' end, 'manual', 1,
    case when n < ${rare} then 'tls_error' when n % 10 = 0 then 'http_5xx' end,
    case when n < ${rare} then 404 when n % 10 = 0 then 503 else 204 end,
    to_timestamp(($5::float8 + n * ${everyMs}) / 1000)
  from (select id, $6::int + (place - 1)::int as n from unnest($7::text[]) with ordinality as given (id, place)) rows`;

/**
 * Fills a new log, of an account that has no other rows: the predictions of its deliveries do not exist, so
 * lists of predictions by their deliveries must not meet them.
 */
async function fill({ pool, queries }: Database, rows: number): Promise<void> {
  for (const id of [names.account, names.ofLog]) await queries.insert(accounts).values({ id, name: "Bench" });
  for (const id of [names.common, names.rare])
    await queries.insert(webhookEndpoints).values({ id, accountId: names.ofLog, url, events: [] });
  const tables = ["webhook_deliveries", "webhook_delivery_keys"];
  await withIndexesLast(pool, tables, async () => {
    for (let first = 0; first < rows; first += chunk) {
      const last = Math.min(first + chunk, rows);
      await pool.query(
        `insert into webhook_events (id, account_id, type, body, payload_expires_at)
         select 'evt_' || n, $1, 'prediction.succeeded', '{}', now()
         from generate_series($2::int, $3::int) n on conflict do nothing`,
        [names.ofLog, Math.floor(first / 4), Math.floor(last / 4)],
      );
      const ids = Array.from({ length: last - first }, (_, n) => deliveryId(first + n));
      await pool.query(insertSql, [names.ofLog, names.common, names.rare, url, firstMs, first, ids]);
    }
  });
  await pool.query(`vacuum analyze ${tables.join(", ")}`);
  await pool.query("analyze webhook_endpoints");
}

/** Sums per million rows, as in the trial that found these pages slow. */
const sumsShare = 0.545;

/**
 * Sums of 90 days: twenty models, thirty keys and two kinds in each of five accounts. The first account has a
 * fifth of the large table, and all of the small one.
 */
async function fillSums({ pool }: Database, rows: number): Promise<void> {
  const ids = [names.account, ...Array.from({ length: 4 }, () => newId("account"))];
  await pool.query(
    "insert into accounts (id, name) select id, 'Bench' from unnest($1::text[]) id on conflict do nothing",
    [ids],
  );
  const sums = Math.round(rows * sumsShare);
  for (let first = 0; first < sums; first += chunk)
    await pool.query(
      `insert into usage_sums (account_id, day, model, provider, region, kind, unit, price_id, selling_id, batch_id,
         key_id, quantity, runs, cost, charge)
       select ($1::text[])[n / 108000 % 5 + 1], to_char(date '2026-01-01' + n % 90, 'YYYY-MM-DD'),
         'svc/model-' || n / 180 % 20, 'acme', 'us-virginia',
         case when n / 90 % 2 = 0 then 'input_token' else 'output_token' end, 'token', 'price_' || n / 540000, '', '',
         'key_' || n / 108000 % 5 || '_' || n / 3600 % 30, n % 7 + 1, n % 3 + 1, 0.000123 * (n % 100), 0.000246 * (n % 100)
       from generate_series($2::int, $3::int) n`,
      [ids, first, Math.min(first + chunk, sums) - 1],
    );
  await pool.query("vacuum analyze usage_sums");
}

/** The queries of the usage page. */
function usageCases(context: Context): Case[] {
  const between = { from: "2026-01-01", to: "2026-03-31" };
  const file = { ...between, format: "csv", ofOperator: true } as const;
  return [
    ...usageGroups.map(
      (group_by): Case => [`usage by ${group_by}`, () => listUsage(context, owner, { ...between, group_by })],
    ),
    ...[undefined, ...operatorUsageGroups].map(
      (group_by): Case => [
        `operator's usage by ${group_by ?? "default"}`,
        () => listOperatorUsage(context, { ...between, ...(group_by && { group_by }) }),
      ],
    ),
    // The file's pages are sent while they are read.
    ["operator's usage as CSV, first page", () => firstPage(usageFile(context, file))],
  ];
}

type Case = [string, () => Promise<unknown>];

/** Reads a whole file and drops the bytes, like a client that only reads. */
async function wholeFile({ context }: { context: Context }): Promise<number> {
  const startedAt = performance.now();
  for await (const _ of usageFile(context, {
    from: "2026-01-01",
    to: "2026-03-31",
    format: "csv",
    ofOperator: true,
  }));
  return performance.now() - startedAt;
}

async function firstPage(file: AsyncGenerator<Buffer>): Promise<void> {
  await file.next();
  await file.next();
  await file.return(undefined);
}

const moment = (n: number) => new Date(firstMs + n * everyMs).toISOString();

/** The same queries for a log of any size. */
function filtersOf(rows: number): [string, DeliveryQuery][] {
  const middle = Math.floor(rows / 2);
  return [
    ["none", {}],
    ["a later page", { after: deliveryId(middle) }],
    ["id", { id: deliveryId(middle) }],
    ["event_id", { event_id: `evt_${Math.floor(middle / 4)}` }],
    ["prediction_id", { prediction_id: `pred_${Math.floor(middle / 4)}` }],
    ["endpoint_id, common", { endpoint_id: names.common }],
    ["endpoint_id, rare", { endpoint_id: names.rare }],
    ["status, common", { status: "delivered" }],
    ["status, 10 %", { status: "dead-letter" }],
    ["status, rare", { status: "canceled" }],
    ["status, absent", { status: "pending" }],
    ["event_type, common", { event_type: "prediction.succeeded" }],
    ["event_type, 5 %", { event_type: "prediction.canceled" }],
    ["event_type, rare", { event_type: "prediction.failed" }],
    ["status_class, common", { status_class: "2xx" }],
    ["status_class, rare", { status_class: "4xx" }],
    ["status_class, absent", { status_class: "3xx" }],
    ["error_code, 10 %", { error_code: "http_5xx" }],
    ["error_code, rare", { error_code: "tls_error" }],
    ["error_code, absent", { error_code: "timeout" }],
    ["created_after", { created_after: moment(rows - 100) }],
    ["created_before", { created_before: moment(100) }],
    ["created_after and _before", { created_after: moment(middle), created_before: moment(middle + 100) }],
    ["endpoint_id and status", { endpoint_id: names.common, status: "dead-letter" }],
  ];
}

const owner = {
  accountId: names.account,
  kind: "user",
  permissions: new Set<string>(permissions),
} as unknown as Actor;
const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
const log = pino({ level: "error" });
const config = readConfig({ GATEHOUSE_DATA_DIR: folder });
const open = async (name: string, rows: number) => {
  const database = await openDatabase(
    { databaseUrl: null, migrate: true, dataDir: path.join(folder, name) },
    log,
  );
  if (isPart("lists", "search")) {
    await fill(database, rows);
    await fillLists(database.pool, names.account, rows);
  }
  if (isPart("usage")) await fillSums(database, rows);
  const meter = { flush: async () => {} };
  const context = {
    database,
    config,
    catalog: createCatalog(),
    prices: createPrices("USD"),
    meter,
  } as Context;
  const deliveries = filtersOf(rows).map(([filter, query]): [string, () => Promise<unknown>] => [
    `deliveries ${filter}`,
    () => listDeliveries(context, names.ofLog, query),
  ]);
  return {
    database,
    context,
    lists: [
      ...(isPart("lists") ? [...deliveries, ...listCases(context, names.account, rows)] : []),
      ...(isPart("usage") ? usageCases(context) : []),
    ],
  };
};
const logs = { small: await open("small", sizes.small), large: await open("large", sizes.large) };

/** Calls a list by index, because in a log of another size the same query names another row. */
async function timed(size: keyof typeof logs, place: number): Promise<number> {
  const [, ask] = logs[size].lists[place] as [string, () => Promise<unknown>];
  const startedAt = performance.now();
  await ask();
  return performance.now() - startedAt;
}

console.log(`${sizes.large} rows against ${sizes.small}, ${rounds} rounds of ${calls} calls each, in turns`);
const middles = new Map<string, { small: number[]; large: number[] }>();
for (let round = 0; round < rounds; round += 1) {
  for (const [place, [filter]] of logs.large.lists.entries()) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let call = 0; call < calls; call += 1)
      for (const size of ["small", "large"] as const) times[size].push(await timed(size, place));
    const { small, large } = middles.get(filter) ?? { small: [], large: [] };
    middles.set(filter, {
      small: [...small, median(times.small)],
      large: [...large, median(times.large)],
    });
  }
}
for (const [filter, { small, large }] of middles) {
  const ratio = ratioOf(large, small);
  const value = `${median(large).toFixed(2)} ms, ${ratio.middle.toFixed(2)} (${ratio.span})`;
  const isQuick = filter.includes("usage") && median(large) <= goalMs;
  console.log(verdict(filter, value, `<= ${goal}`, isQuick || ratio.middle <= goal));
}

if (isPart("usage")) {
  const rowMs = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    for (const size of ["small", "large"] as const)
      rowMs[size].push((await wholeFile(logs[size])) / Math.round(sizes[size] * sumsShare));
  const ratio = ratioOf(rowMs.large, rowMs.small);
  const seconds = (median(rowMs.large) * sizes.large * sumsShare) / 1_000;
  const value = `${seconds.toFixed(1)} s in all, ${ratio.middle.toFixed(2)} a row (${ratio.span})`;
  console.log(verdict("operator's usage as CSV, whole", value, `<= ${goal}`, ratio.middle <= goal));
}

/** The median of several calls. */
async function middleMs(count: number, ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const startedAt = performance.now();
    await ask();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const report = (name: string, ms: number, goalMs: number) =>
  console.log(verdict(name, `${ms.toFixed(1)} ms`, `<= ${goalMs} ms`, ms <= goalMs));

if (isPart("search")) await measureSearch();
for (const { database } of Object.values(logs)) await database.close();
rmSync(folder, { recursive: true, force: true });

async function measureSearch(): Promise<void> {
  // A model whose prompts everybody may search.
  await logs.large.database.pool.query(
    `update predictions set model = 'svc/img-gen-a-1', input =
     jsonb_build_object('prompt', 'number ' || id || repeat(' a red boat on the sea at dusk', 30), 'seed', 1)
   where id in (select id from predictions order by id desc limit $1)`,
    [search.prompts],
  );
  await logs.large.database.pool.query("vacuum analyze predictions");
  for (const [what, words] of [
    ["in all", "red boat"],
    ["in none", "lighthouse"],
  ]) {
    const find = () => predictionGroup.find(logs.large.context, owner, { search: words ?? "", limit: 5 });
    report(
      `search of ${search.prompts} prompts, words ${what}`,
      await middleMs(search.calls, find),
      search.goalMs,
    );
  }

  // Every row is within the 24 hours before this clock, or after it.
  clock.setOffset(decodeTime("01K0000000".padEnd(26, "0")) - Date.now());
  const summary = () => readSummary(logs.large.context, owner);
  report("summary, all rows in its 24 hours", await middleMs(calls, summary), summaryGoalMs);
}
