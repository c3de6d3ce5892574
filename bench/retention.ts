import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { newId } from "#contract/ids.ts";
import { openDistricts } from "#gateway/districts.ts";
import { readConfig } from "#gateway/platform/core/config.ts";
import { startSweeps } from "#gateway/platform/core/sweeps.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { median, verdict } from "./parts/figures.ts";
import { startGateway } from "./parts/gateway.ts";
import { runBench } from "./parts/run.ts";

/*
 * How fast expired data is removed, including files on disk: from a backlog of a million predictions while
 * new ones are accepted, and with what delay when a hundred more expire each second. The gateway runs as
 * `api` in its own process. A worker's sweeps run in this process, on the same embedded PostgreSQL.
 */
const backlog = Number(process.env.BENCH_ROWS ?? 1_000_000);
const drainSeconds = Number(process.env.BENCH_SECONDS ?? 30);
/** The oldest predictions have files: more than can be removed in the time. */
const withFiles = Math.min(backlog, drainSeconds * 6_000);
const lagSeconds = 90;
const perSecond = 100;
const chunk = 20_000;
const goals = { drainedPerSecond: 1_000, lagSeconds: 60 };
const token = "only-for-the-bench";
const fileBytes = Buffer.alloc(10_000);

/** Succeeded predictions that expire one after the other, the first in `$4` seconds. Negative: overdue. */
const insertSql = `
  insert into predictions (id, account_id, model, api_type, svc_region, status, input, outputs, usage_unit, usage_quantity,
    stored_bytes, deadline_at, created_at, started_at, completed_at, expires_at)
  select id, $1, 'svc/vid-t2v', 'video-generation', 'us-virginia', 'succeeded', '{"prompt":"A river"}',
    jsonb_build_array(jsonb_build_object('key', 'outputs/' || id || '/1.mp4', 'contentType', 'video/mp4', 'sizeBytes', 10000)),
    'second', 2, 10000, now(), now(), now(), now(), now() + make_interval(secs => $3 + place / 100000.0)
  from unnest($2::text[]) with ordinality as given (id, place)`;

await runBench(async (folder) => {
  const gateway = await startGateway(folder, { GATEWAY_ROLE: "api", METRICS_TOKEN: token });
  const log = pino({ level: "warn" });
  const dataDir = path.join(folder, "data");
  const config = readConfig({
    GATEHOUSE_DATA_DIR: dataDir,
    AUTH_SECRET: "a-secret-for-the-bench-alone-0001",
  });
  const database = await openDatabase(config, log, "borrow");
  const districts = await openDistricts({ config, log, database, telemetry: null });
  const { context } = districts;
  const { rows } = await database.pool.query<{ id: string }>("select id from accounts");
  const accountId = rows[0]?.id ?? "";

  const store = (ids: readonly string[]) => {
    for (const id of ids) {
      const file = path.join(dataDir, "files/objects/outputs", id, "1.mp4");
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(`${file}.bin`, fileBytes);
      writeFileSync(`${file}.meta`, "video/mp4");
    }
  };
  // One transaction, so that the whole backlog appears at once. The account's stored bytes are added up at
  // its end instead of row by row.
  const client = await database.pool.connect();
  await client.query("begin; alter table predictions disable trigger user");
  for (let first = 0; first < backlog; first += chunk) {
    const ids = Array.from({ length: Math.min(chunk, backlog - first) }, () => newId("prediction"));
    if (first < withFiles) store(ids);
    await client.query(insertSql, [accountId, ids, -86_400 + first / 100_000]);
  }
  await client.query("select account_storage_add($1, $2)", [accountId, backlog * fileBytes.length]);
  await client.query("alter table predictions enable trigger user; commit");
  client.release();
  await database.pool.query("analyze predictions");

  const accepted: number[] = [];
  const accept = async () => {
    const startedAt = performance.now();
    const response = await fetch(`${gateway.url}/videos`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "svc/vid-t2v", prompt: "A river winds through a valley", duration: 2 }),
    });
    await response.arrayBuffer();
    if (response.status !== 202) throw new Error(`a new prediction was refused: ${response.status}`);
    accepted.push(performance.now() - startedAt);
  };
  const draining = startSweeps(context, context.sweeps);
  await everySecond(drainSeconds, () => repeat(perSecond, accept));
  await draining.stop();
  const drained = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from predictions where data_removed_at is not null",
  );
  const rate = (drained.rows[0]?.count ?? 0) / drainSeconds;

  await database.pool.query("truncate predictions");
  const steady = startSweeps(context, context.sweeps);
  const lags: number[] = [];
  await everySecond(lagSeconds, async () => {
    const ids = Array.from({ length: perSecond }, () => newId("prediction"));
    store(ids);
    await database.pool.query(insertSql, [accountId, ids, 1]);
    lags.push(await readLag(gateway.url));
  });
  await steady.stop();
  await districts.close();

  console.log(
    `\n${backlog} expired predictions while ${perSecond} new ones a second are accepted, ${drainSeconds} s`,
  );
  console.log(`drained ${rate.toFixed(0)}/s, a 202 after ${median(accepted).toFixed(1)} ms (median)`);
  const ratio = rate / goals.drainedPerSecond;
  console.log(verdict(`drained / ${goals.drainedPerSecond} a second`, ratio.toFixed(2), ">= 1", ratio >= 1));
  const lag = Math.max(...lags) / goals.lagSeconds;
  console.log(
    `\n${perSecond} more expire each second, ${lagSeconds} s: late by ${Math.max(...lags).toFixed(0)} s at most`,
  );
  console.log(verdict("lag / a minute", lag.toFixed(2), "<= 1", lag <= 1));
});

/** Starts `work` once a second, however long the previous call takes. */
async function everySecond(seconds: number, work: () => Promise<unknown>): Promise<void> {
  const begun: Promise<unknown>[] = [];
  for (let second = 0; second < seconds; second += 1) {
    begun.push(work());
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await Promise.all(begun);
}

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: times }, work));
}

async function readLag(url: string): Promise<number> {
  const answer = await fetch(url.replace("/v1", "/metrics"), {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  return Number(/gatehouse_retention_lag_seconds\{kind="predictions"\} (\S+)/.exec(text)?.[1] ?? Number.NaN);
}
