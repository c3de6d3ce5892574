import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { Agent } from "undici";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/districts.ts";
import { startDeliveries } from "#gateway/events/webhooks/deliver/start.ts";
import { createEndpoint } from "#gateway/events/webhooks/endpoints/create.ts";
import { deliveriesChannel, emitEvent, eventBody } from "#gateway/events/webhooks/events.ts";
import { deliveryRequest, signingKey } from "#gateway/events/webhooks/sign.ts";
import { readConfig } from "#gateway/platform/core/config.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { median, quantile, ratioOf, verdict } from "./parts/figures.ts";

/*
 * Deliveries per second (durable, signed, logged, guarded) compared with a plain undici loop that POSTs the
 * same signed bytes to the same receiver with the same concurrency, in turns. Then the time from the final
 * state to the first byte at the receiver at 50 events a second, without and with 500 deliveries that wait
 * for an endpoint that never answers.
 */
const howMany = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const rounds = 15;
const latencyRounds = 3;
const concurrency = 16;
const latencyEvents = 250;
const eventsPerSecond = 50;
const waitingForHole = 500;
const goals = { ratio: 0.35, p95Ms: 50, slowdown: 2 };

const folder = mkdtempSync(path.join(tmpdir(), "gatehouse-bench-"));
const log = pino({ level: "error" });
const authority = await makeAuthority(folder);
const receiver = fork(path.join(import.meta.dirname, "deliveries-receiver.ts"));
receiver.send(authority.local);
const [[port, holePort]] = (await once(receiver, "message")) as [[number, number]];
const defaults = readConfig({ GATEHOUSE_DATA_DIR: folder, AUTH_SECRET: "a-secret-for-the-bench-alone-0001" });
const webhooks = {
  ...defaults.webhooks,
  ports: [port, holePort],
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

const agent = new Agent({
  connect: { ca: readFileSync(authority.caFile, "utf8") },
  connections: concurrency,
});

async function bare(): Promise<number> {
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
    { keys: [signingKey(endpoint.secret)] },
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
  return (howMany / (performance.now() - startedAt)) * 1000;
}

/** Writes many due deliveries at once, faster than the gateway could emit events. */
async function queue(count: number, to: { id: string; url: string }, body: string): Promise<void> {
  const mark = newId("event");
  await database.pool.query(
    `insert into webhook_events (id, account_id, type, body, payload_expires_at)
     select $1 || n, $2, 'prediction.succeeded', $3, now() + interval '1 day' from generate_series(1, $4) n`,
    [mark, accountId, body, count],
  );
  await database.pool.query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, next_attempt_at)
     select 'dlv_' || substr($1, 5) || n, $2, $1 || n, $3, 'prediction.succeeded', $4, now() from generate_series(1, $5) n`,
    [mark, accountId, to.id, to.url, count],
  );
}

async function delivered(): Promise<number> {
  const body = eventBody({
    id: newId("event"),
    type: "prediction.succeeded",
    accountId,
    createdAt: new Date(),
    object: prediction,
  });
  await setStatus(endpoint.id, "disabled");
  await queue(howMany, endpoint, body);
  await database.pool.query("analyze webhook_deliveries");
  const before = await written();
  const startedAt = performance.now();
  await setStatus(endpoint.id, "enabled");
  database.notify(deliveriesChannel);
  while ((await written()) < before + howMany) await new Promise((resolve) => setTimeout(resolve, 20));
  return (howMany / (performance.now() - startedAt)) * 1000;
}

function setStatus(endpointId: string, status: "enabled" | "disabled") {
  return database.pool.query("update webhook_endpoints set status = $2 where id = $1", [endpointId, status]);
}

/** Number of deliveries saved as successful. The same statement writes the log. */
async function written(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "select coalesce(sum(delivered), 0)::int as count from webhook_endpoint_hours where endpoint_id = $1",
    [endpoint.id],
  );
  return rows[0]?.count ?? 0;
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
      emitEvent(queries, {
        accountId,
        type: "prediction.succeeded",
        subject: { predictionId: newId("prediction") },
        object: prediction,
        retentionUntil: new Date(Date.now() + 86_400_000),
      }),
    );
    // The state is final when it is committed.
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

const running = await startDeliveries(context);
await bare();
await delivered();
const results = { bare: [] as number[], delivered: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  results.bare.push(await bare());
  results.delivered.push(await delivered());
}
await running.stop();
await agent.close();
const ratio = ratioOf(results.delivered, results.bare);
console.log(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
console.log(
  `bare undici loop ${median(results.bare).toFixed(0)}/s, deliveries ${median(results.delivered).toFixed(0)}/s`,
);
console.log(
  verdict(
    "deliveries against a bare loop",
    `${ratio.middle.toFixed(2)} (${ratio.span})`,
    `>= ${goals.ratio}`,
    ratio.middle >= goals.ratio,
  ),
);

const hole = await createEndpoint(
  context,
  { actor, ip: null, requestId: null },
  { url: `https://127.0.0.1:${holePort}/hook`, events: ["prediction.failed"] },
);
await queue(waitingForHole, hole, "{}");
const p95 = { quiet: [] as number[], hole: [] as number[] };
let seen = 0;
for (let round = 0; round < latencyRounds; round += 1) {
  for (const [kind, status] of [
    ["quiet", "disabled"],
    ["hole", "enabled"],
  ] as const) {
    await setStatus(hole.id, status);
    const measured = await latencies();
    seen += measured.length;
    p95[kind].push(quantile(measured, 0.95));
  }
}
const slowdown = ratioOf(p95.hole, p95.quiet);
console.log(`${seen} of ${2 * latencyRounds * latencyEvents} events arrived, ${eventsPerSecond} a second`);
console.log(
  verdict(
    "terminal state to receiver, p95",
    `${median(p95.quiet).toFixed(1)} ms`,
    `<= ${goals.p95Ms} ms`,
    median(p95.quiet) <= goals.p95Ms,
  ),
);
console.log(
  verdict(
    `the same with ${waitingForHole} waiting for a black hole`,
    `${median(p95.hole).toFixed(1)} ms, ${slowdown.middle.toFixed(2)} (${slowdown.span})`,
    `< ${goals.slowdown}`,
    slowdown.middle < goals.slowdown,
  ),
);
receiver.kill();
await database.close();
rmSync(folder, { recursive: true, force: true });
