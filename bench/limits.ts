import { mkdirSync } from "node:fs";
import path from "node:path";
import autocannon from "autocannon";
import { pino } from "pino";
import { clusterFolder } from "#gateway/platform/database/embedded/places.ts";
import { runningPostmaster } from "#gateway/platform/database/embedded/postmaster.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { createLimiter } from "#gateway/platform/limits/create-limiter.ts";
import { median, verdict } from "./parts/figures.ts";
import { startGateway, writeProvidersFile } from "./parts/gateway.ts";
import { askFor, roundSeconds, rounds, type Target, warmUp } from "./parts/load.ts";
import { startOwn } from "./parts/processes.ts";
import { runBench } from "./parts/run.ts";

/*
 * Limits across two gateways with one database: how many requests of a key with the default limit pass when
 * both gateways are flooded, how many leases a busy key costs, and the processor time of its limits compared
 * with that of a whole chat.
 */
const connections = 32;
const perMinute = 600;
const floodSeconds = 20;
const model = "svc/chat-1";
const body = { model, messages: [{ role: "user", content: "Say in twenty words what a gateway is for." }] };
const goals = { admitted: 0.95, leases: 0.05, processor: 0.03 };
const operations = 200_000;

await runBench(async (folder) => {
  const upstream = await startOwn("chat-upstream.ts");
  const providers = writeProvidersFile(folder, [model], `http://127.0.0.1:${upstream.port}/v1`);
  const environment = { PROVIDERS_FILE: providers, LOG_LEVEL: "warn" };
  const first = await startGateway(folder, environment);
  const dataDir = path.join(folder, "data");
  const socketDir = runningPostmaster(clusterFolder(dataDir))?.socketDir ?? "";
  const databaseUrl = `postgres://gatehouse@localhost/gatehouse?host=${encodeURIComponent(socketDir)}`;
  const elsewhere = path.join(folder, "second");
  mkdirSync(elsewhere);
  const second = await startGateway(elsewhere, {
    ...environment,
    DATABASE_URL: databaseUrl,
    GATEWAY_ROLE: "api",
  });
  const database = await openDatabase({ databaseUrl, migrate: true, dataDir }, pino({ level: "warn" }));
  const target = (name: string, gateway: typeof first): Target => ({
    name,
    program: gateway.program,
    url: `${gateway.url}/chat/completions`,
    headers: { authorization: `Bearer ${first.key}` },
    body,
  });

  console.log(`\nTwo gateways of one database, a key with ${perMinute} operations a minute`);
  await database.pool.query("update api_keys set requests_per_minute = $1 where name = 'bench'", [perMinute]);
  const startedAt = performance.now();
  const flood = await Promise.all([first, second].map((gateway) => floodOf(target("flood", gateway))));
  const seconds = (performance.now() - startedAt) / 1000;
  const admitted = flood.reduce((sum, one) => sum + one, 0);
  const share = admitted / (perMinute + (perMinute / 60) * seconds);
  console.log(
    verdict(
      "admitted / (burst + rate × time)",
      `${share.toFixed(3)} (${admitted} in ${seconds.toFixed(0)} s)`,
      `${goals.admitted}–1`,
      share >= goals.admitted && share <= 1,
    ),
  );

  await database.pool.query("update api_keys set requests_per_minute = null");
  const busy = target("Gatehouse", first);
  await warmUp(busy, connections);
  const before = await leases();
  const results = [];
  for (let round = 0; round < rounds; round += 1) results.push(await askFor(busy, roundSeconds, connections));
  const asked = results.reduce((sum, { perSecond }) => sum + perSecond * roundSeconds, 0);
  const perRequest = ((await leases()) - before) / asked;
  console.log(
    verdict(
      "leases / chat requests",
      perRequest.toFixed(4),
      `<= ${goals.leases}`,
      perRequest <= goals.leases,
    ),
  );
  const chatUs = median(results.map(({ processorUs }) => processorUs ?? Number.NaN));
  const limitsUs = await costOfLimits();
  const part = limitsUs / chatUs;
  console.log(
    verdict(
      "processor time of limits / of a chat",
      `${part.toFixed(3)} (${limitsUs.toFixed(1)} of ${chatUs.toFixed(0)} µs)`,
      `<= ${goals.processor}`,
      part <= goals.processor,
    ),
  );
  await database.close();

  /** Rows that leases have written since the database was created. */
  async function leases(): Promise<number> {
    // PostgreSQL publishes a connection's statistics within a second of its last statement.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { rows } = await database.pool.query(
      "select sum(n_tup_ins + n_tup_upd)::int as count from pg_stat_user_tables where relname in ('limit_rates', 'limit_slots')",
    );
    return rows[0].count;
  }

  /** Microseconds of this process for a slot and a token. */
  async function costOfLimits(): Promise<number> {
    const limiter = await createLimiter(database, pino({ level: "warn" }), "bench");
    const limit = { name: "operations", count: 1_000_000_000, periodMs: 60_000 };
    const run = async () => {
      const release = await limiter.occupy("bench", 1_000);
      await limiter.take("bench", limit);
      await new Promise((resolve) => setImmediate(resolve));
      release?.();
    };
    const loop = async (times: number) => {
      for (let done = 0; done < times; done += connections)
        await Promise.all(Array.from({ length: connections }, run));
    };
    await loop(operations / 10);
    const from = process.cpuUsage();
    await loop(operations);
    const { user, system } = process.cpuUsage(from);
    await limiter.close();
    return (user + system) / operations;
  }
});

/** How many requests of a flood a target accepts. */
async function floodOf({ url, headers, body }: Target): Promise<number> {
  const result = await autocannon({
    url,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    connections,
    duration: floodSeconds,
  });
  return result["2xx"];
}
