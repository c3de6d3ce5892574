import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import type { DeliveryDetail } from "#contract/webhook.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import { isDone, type Scene, startScene } from "../testing/scene.ts";

const workerProcess = path.resolve(import.meta.dirname, "../testing/worker-process.ts");
const rounds = 5;
let scene: Scene;
let workers: ChildProcess[] = [];

beforeEach(async () => {
  scene = await startScene({ timeoutMs: 8000 }, { worker: false, settings: { leaseMs: 10_000 } });
  await scene.createEndpoint();
});
afterEach(async () => {
  await Promise.all(workers.map(kill));
  workers = [];
  await scene.close();
});

async function startWorkerProcess(): Promise<ChildProcess> {
  const { config, database } = scene.context;
  const { host, port, user, password, database: name } = database.pool.options;
  const file = path.join(config.dataDir, "worker.json");
  writeFileSync(
    file,
    JSON.stringify({
      config,
      connection: { host, port, user, password, database: name },
      settings: { leaseMs: 10_000, pollMs: 100 },
    }),
  );
  const worker = fork(workerProcess, [file], { execArgv: [] });
  workers.push(worker);
  await once(worker, "message");
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill("SIGKILL");
  await once(worker, "exit");
}

/**
 * Checks that the interrupted attempt shows only known facts, and no time before the delivery was created.
 */
function expectTruthful({ attempt_log: [interrupted], created_at: createdAt }: DeliveryDetail): void {
  expect(interrupted).toMatchObject({
    error_code: "interrupted",
    error_detail: expect.stringContaining("is unknown"),
    request_headers: null,
    response_status: null,
    duration_ms: null,
  });
  expect(Date.parse(interrupted?.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(createdAt));
  expect(Date.parse(interrupted?.started_at ?? "")).toBeLessThan(Date.now());
}

test("a worker killed in the middle of an attempt costs neither the delivery nor an attempt", async () => {
  scene.receiver.answer(() => {});
  const killed = await startWorkerProcess();
  const event = await scene.emit();
  await scene.receiver.next();
  // A second worker is running before the first dies, so it has to wait for the lease.
  await scene.startWorker();
  await kill(killed);
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  const delivery = await scene.deliveryWhen({ event_id: event.id }, isDone);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1 });
  expect(delivery.attempt_log.map((one) => one.error_code)).toEqual(["interrupted", null]);
  expectTruthful(delivery);
  expect(scene.receiver.received.map((one) => one.headers["x-svc-event-id"])).toEqual([event.id, event.id]);
});

test("the only worker, restarted after a kill, continues at once", async () => {
  scene.receiver.answer(() => {});
  const killed = await startWorkerProcess();
  const event = await scene.emit();
  await scene.receiver.next();
  await kill(killed);
  await scene.context.database.pool.query(
    "update webhook_deliveries set lease_expires_at = now() + interval '1 hour' where lease_owner is not null",
  );
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  await startWorkerProcess();
  const delivery = await scene.deliveryWhen({ event_id: event.id }, isDone);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1 });
  expectTruthful(delivery);
});

test("every event arrives although the worker is killed again and again at random moments", async () => {
  const random = seededRandom("killed again and again");
  scene.receiver.answer(
    (_one, response) => void setTimeout(() => response.writeHead(200).end(), random() * 30),
  );
  const events: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const worker = await startWorkerProcess();
    const killAtMs = random() * 150;
    const started = Date.now();
    while (Date.now() - started < killAtMs) events.push((await scene.emit()).id);
    await kill(worker);
  }
  await scene.startWorker();
  for (const id of events)
    expect(await scene.deliveryWhen({ event_id: id }, isDone)).toMatchObject({ status: "delivered" });
  const arrived = new Set(scene.receiver.received.map((one) => one.headers["x-svc-event-id"]));
  expect(events.filter((id) => !arrived.has(id))).toEqual([]);
});

test("a database outage during deliveries needs no restart and loses nothing", async () => {
  await scene.startWorker();
  scene.receiver.answer((_one, response) => void setTimeout(() => response.writeHead(200).end(), 200));
  const events = await Promise.all(Array.from({ length: 20 }, () => scene.emit()));
  await scene.receiver.next();
  const name = String(scene.context.database.pool.options.database);
  const admin = new pg.Client(inject("testServer").admin);
  await admin.connect();
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  await expect(scene.context.database.pool.query("select 1")).rejects.toThrow();
  // The length of the outage: the worker polls the database and reports results several times meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await admin.query(`alter database ${name} allow_connections true`);
  await admin.end();
  const later = await scene.emit();
  for (const { id } of [...events, later])
    expect(await scene.deliveryWhen({ event_id: id }, isDone)).toMatchObject({ status: "delivered" });
});
