import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { Agent } from "undici";
import { newId } from "#contract/ids.ts";
import type { Prediction } from "#contract/prediction.ts";
import { readConfig } from "#gateway/config.ts";
import type { Context } from "#gateway/context.ts";
import { openDatabase } from "#gateway/database/open.ts";
import { accounts } from "#gateway/database/schema.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { deliveryRequest } from "#gateway/webhooks/deliver/request.ts";
import { startDeliveries } from "#gateway/webhooks/deliver/start.ts";
import { createEndpoint } from "#gateway/webhooks/endpoints/create.ts";
import { deliveriesChannel, emitPredictionEvent, eventBody } from "#gateway/webhooks/events.ts";
import { signingKey } from "#gateway/webhooks/sign.ts";

/*
 * Deliveries per second — durable, signed, logged, guarded — against a bare undici loop that POSTs the same signed
 * bytes to the same receiver with the same concurrency, in turns in one run; then the time from the terminal state to
 * the first byte at the receiver at 50 events a second.
 */
const howMany = Number(process.env.BENCH_DELIVERIES ?? 4000);
const rounds = 3;
const concurrency = 16;
const latencyEvents = 500;
const eventsPerSecond = 50;

const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
const log = pino({ level: "warn" });
const authority = await makeAuthority(folder);
const receiver = fork(path.join(import.meta.dirname, "deliveries-receiver.ts"));
receiver.send(authority.local);
const [port] = (await once(receiver, "message")) as [number];
const defaults = readConfig({ GATEHOUSE_DATA_DIR: folder, AUTH_SECRET: "a-secret-for-the-bench-alone-0001" });
const webhooks = {
  ...defaults.webhooks,
  ports: [port],
  allowCidrs: ["127.0.0.0/8"],
  caFile: authority.caFile,
};
const config = { ...defaults, webhooks };
const database = await openDatabase(config, log);
const context = { config, log, database } as Context;

const accountId = newId("account");
await database.queries.insert(accounts).values({ id: accountId, name: "Bench" });
const actor = { accountId, kind: "key", id: "key_bench", name: "bench" } as never;
const url = `https://127.0.0.1:${port}/hook`;
const endpoint = await createEndpoint(context, { actor, ip: null, requestId: null }, { url });
const prediction = {
  id: newId("prediction"),
  object: "prediction",
  status: "succeeded",
  output: "x".repeat(800),
};

async function bare(): Promise<number> {
  const agent = new Agent({
    connect: { ca: readFileSync(authority.caFile, "utf8") },
    connections: concurrency,
  });
  const body = eventBody({
    id: newId("event"),
    type: "prediction.succeeded",
    accountId,
    createdAt: new Date(),
    object: prediction,
  });
  const { headers } = deliveryRequest(
    { id: newId("delivery"), eventId: "evt_bare", url, attempts: 0 },
    body,
    [signingKey(endpoint.secret)],
  );
  let left = howMany;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        const answer = await agent.request({
          origin: url.slice(0, -5),
          path: "/hook",
          method: "POST",
          headers,
          body,
        });
        await answer.body.dump();
      }
    }),
  );
  const perSecond = (howMany / (performance.now() - startedAt)) * 1000;
  await agent.close();
  return perSecond;
}

async function delivered(): Promise<number> {
  const body = eventBody({
    id: newId("event"),
    type: "prediction.succeeded",
    accountId,
    createdAt: new Date(),
    object: prediction,
  });
  const mark = newId("event");
  await database.pool.query(
    `insert into webhook_events (id, account_id, type, body, payload_expires_at)
     select $1 || n, $2, 'prediction.succeeded', $3, now() + interval '1 day' from generate_series(1, $4) n`,
    [mark, accountId, body, howMany],
  );
  await database.pool.query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, next_attempt_at)
     select 'dlv_' || $1 || n, $2, $1 || n, $3, 'prediction.succeeded', $4, now() from generate_series(1, $5) n`,
    [mark, accountId, endpoint.id, url, howMany],
  );
  await database.pool.query("analyze webhook_deliveries");
  const startedAt = performance.now();
  const worker = await startDeliveries(context);
  for (;;) {
    const { rows } = await database.pool.query(
      "select 1 from webhook_deliveries where status = 'pending' and next_attempt_at is not null limit 1",
    );
    if (rows.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const perSecond = (howMany / (performance.now() - startedAt)) * 1000;
  await worker.stop();
  return perSecond;
}

async function latencies(): Promise<number[]> {
  await arrivals();
  const worker = await startDeliveries(context);
  const emittedAt = new Map<string, number>();
  const startedAt = performance.now();
  for (let n = 0; n < latencyEvents; n += 1) {
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(startedAt + (n * 1000) / eventsPerSecond - performance.now(), 0)),
    );
    const event = await database.transaction((queries) =>
      emitPredictionEvent(queries, {
        accountId,
        predictionId: newId("prediction"),
        type: "prediction.succeeded",
        predictionObject: prediction as unknown as Prediction,
        retentionUntil: new Date(Date.now() + 86_400_000),
      }),
    );
    // The state is terminal with the commit.
    emittedAt.set(event?.id ?? "", performance.timeOrigin + performance.now());
    database.notify(deliveriesChannel);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const seen = await arrivals();
  await worker.stop();
  return seen
    .flatMap(([id, atMs]) => {
      const at = emittedAt.get(id);
      return at === undefined ? [] : [Math.max(atMs - at, 0)];
    })
    .sort((a, b) => a - b);
}

async function arrivals(): Promise<[string, number][]> {
  receiver.send("arrivals");
  const [list] = (await once(receiver, "message")) as [[string, number][]];
  return list;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
await bare();
const results = { bare: [] as number[], delivered: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  results.bare.push(await bare());
  results.delivered.push(await delivered());
}
const ratio = median(results.delivered) / median(results.bare);
console.log(`bare undici loop     ${median(results.bare).toFixed(0)}/s`);
console.log(`deliveries, logged   ${median(results.delivered).toFixed(0)}/s`);
console.log(`ratio                ${ratio.toFixed(2)} (goal 0.35)`);
const measured = await latencies();
const at = (share: number) => (measured[Math.floor(measured.length * share)] ?? Number.NaN).toFixed(1);
console.log(
  `terminal to receiver p50 ${at(0.5)} ms, p95 ${at(0.95)} ms of ${measured.length} at ${eventsPerSecond}/s (goal p95 50 ms)`,
);
receiver.kill();
await database.close();
rmSync(folder, { recursive: true, force: true });
