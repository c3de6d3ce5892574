import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import type { ActivityQuery } from "#contract/activity.ts";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/districts.ts";
import { readActivity } from "#gateway/monitoring/activity.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { addTime, pairsOf, type Times } from "#gateway/platform/figures/times.ts";
import { median, quantile, verdict } from "./parts/figures.ts";

/*
 * A chart of the last 30 days with ten million requests behind it, for each query that the page can send. The
 * counters are filled like the gateway's: routes and statuses of 24 models; 20 keys at 3 providers in 2
 * regions, and each separately; attempts of each model at 2 providers in 2 regions; and 3 providers in 2
 * regions separately, each with durations.
 */
const requests = 10_000_000;
const days = 30;
const calls = 40;
const goalMs = 50;
const goalRows = 5_000;
const stepMs = { hour: 3_600_000, day: 86_400_000 } as const;

const log = pino({ level: "error" });
const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
const database = await openDatabase({ databaseUrl: null, migrate: true, dataDir: folder }, log);
const context = { database, history: { days, auditDays: 400, requestLogDays: days } } as unknown as Context;
const accountId = newId("account");

const statuses = [
  { status: 200, code: "" },
  { status: 429, code: "rate_limit_exceeded" },
  { status: 502, code: "upstream_error" },
];
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const sets = {
  model: names("model-", 24).flatMap((model) =>
    statuses.map((ended) => ({
      set: "model",
      kind: "answer",
      model,
      operation: "POST /v1/chat/completions",
      ...ended,
    })),
  ),
  key: names("key_", 20).flatMap((key_id) =>
    names("provider-", 3).flatMap((provider) =>
      ["us-virginia", "eu-frankfurt"].flatMap((region) =>
        statuses
          .slice(0, 2)
          .map((ended) => ({ set: "key", kind: "answer", key_id, provider, region, ...ended })),
      ),
    ),
  ),
  try: names("model-", 24).flatMap((model, place) =>
    [place, place + 1].flatMap((provider) =>
      ["us-virginia", "eu-frankfurt"].flatMap((region) =>
        statuses.slice(0, 2).map((ended) => ({
          set: "try",
          kind: "try",
          model,
          provider: `provider-${provider % 3}`,
          region,
          ...ended,
        })),
      ),
    ),
  ),
  payer: names("key_", 20).flatMap((key_id) =>
    statuses.slice(0, 2).map((ended) => ({ set: "payer", kind: "answer", key_id, ...ended })),
  ),
  place: names("provider-", 3).flatMap((provider) =>
    ["us-virginia", "eu-frankfurt"].flatMap((region) =>
      statuses.slice(0, 2).map((ended) => ({ set: "place", kind: "answer", provider, region, ...ended })),
    ),
  ),
  placeTries: names("provider-", 3).flatMap((provider) =>
    ["us-virginia", "eu-frankfurt"].flatMap((region) =>
      statuses.slice(0, 2).map((ended) => ({ set: "place", kind: "try", provider, region, ...ended })),
    ),
  ),
};

/** Durations of a thousand answers of one model, from 50 ms to half a minute. */
function someTimes(seed: number): number[] {
  const times: Times = new Map();
  for (let n = 0; n < 1_000; n += 1) {
    const spread = Math.abs(Math.sin(seed * 1_000 + n));
    addTime(times, "answer", 50 * 600 ** spread);
    addTime(times, "first", 20 * 50 ** spread);
  }
  return pairsOf(times);
}

for (const series of Object.values(sets)) {
  const each = Math.round(requests / days / series.length);
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into figure_series (account_id, set, kind, model, operation, key_id, provider, region, status, code)
     select $1, set, kind, coalesce(model, ''), coalesce(operation, ''), coalesce(key_id, ''), coalesce(provider, ''),
       coalesce(region, ''), status, code
     from json_to_recordset($2) as s (set text, kind text, model text, operation text, key_id text, provider text,
       region text, status smallint, code text) returning id`,
    [accountId, JSON.stringify(series)],
  );
  for (const [place, { id }] of rows.entries())
    for (const [step, ms] of Object.entries(stepMs))
      await database.pool.query(
        `insert into figures (series_id, step, at, runs, tokens_in, tokens_out, generating_ms, times)
         select $1, $2, to_timestamp(floor(extract(epoch from now()) / $3::float8) * $3 - n * $3::float8), $4::bigint, $4::bigint, $4::bigint, $4::bigint, $5::int[]
         from generate_series(0, $6::int - 1) n`,
        [
          id,
          step,
          ms / 1000,
          Math.round((each * ms) / stepMs.day),
          someTimes(place),
          (days * stepMs.day) / ms,
        ],
      );
}
await database.pool.query("vacuum analyze figures");
await database.pool.query("analyze figure_series");

const now = Date.now();
const last = (count: number) => new Date(now - count * stepMs.day).toISOString();
const asked: [string, ActivityQuery][] = [
  ["30 days by day", { step: "day", from: last(days - 1) }],
  ["30 days by day and model", { step: "day", from: last(days - 1), group_by: "model" }],
  ["30 days by day and key", { step: "day", from: last(days - 1), group_by: "key" }],
  ["30 days by day and status", { step: "day", from: last(days - 1), group_by: "status" }],
  ["30 days by day and provider", { step: "day", from: last(days - 1), group_by: "provider" }],
  ["30 days by day and region", { step: "day", from: last(days - 1), group_by: "region" }],
  [
    "30 days by day and provider, requests",
    { of: "requests", step: "day", from: last(days - 1), group_by: "provider" },
  ],
  [
    "30 days by day and provider, of one model",
    { step: "day", from: last(days - 1), group_by: "provider", model: "model-3" },
  ],
  ["24 hours by hour and model", { step: "hour", group_by: "model" }],
];
for (const [name, query] of asked) {
  const times: number[] = [];
  let found = 0;
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) {
    const startedAt = performance.now();
    found = (await readActivity(context, accountId, query)).total.runs;
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const ms = median(times);
  const ownMs = (user + system) / 1000 / calls;
  console.log(
    verdict(
      name,
      `${ms.toFixed(1)} ms (p95 ${quantile(times, 0.95).toFixed(1)}), of this process ${ownMs.toFixed(1)}, ${found} runs`,
      `<= ${goalMs} ms`,
      ms <= goalMs,
    ),
  );
}
const { rows: read } = await database.pool.query<{ rows: number }>(
  "select count(*)::int as rows from figures f join figure_series s on s.id = f.series_id where s.account_id = $1 and s.set = 'model' and f.step = 'day'",
  [accountId],
);
const rowsRead = read[0]?.rows ?? 0;
console.log(verdict("rows that draw 30 days", String(rowsRead), `<= ${goalRows}`, rowsRead <= goalRows));
await database.close();
rmSync(folder, { recursive: true, force: true });
