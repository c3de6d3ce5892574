import { afterEach, expect, test } from "vitest";
import type { Endpoint } from "#contract/webhook.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { auditLogs, webhookDeliveries, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { isDone, type Scene, startScene } from "../testing/scene.ts";
import { maxInterruptions } from "./settings.ts";
import { startDeliveries } from "./start.ts";

let scene: Scene;
afterEach(() => scene.close());

/** A delivery that a worker leased and never released. */
async function leased(by: string, leaseMs: number, interruptions = 0) {
  const event = await scene.emit("prediction.succeeded", (queries, { id }) =>
    queries
      .update(webhookDeliveries)
      .set({ leaseOwner: by, leaseExpiresAt: new Date(Date.now() + leaseMs), interruptions })
      .where(eq(webhookDeliveries.eventId, id)),
  );
  return (await scene.deliveryWhen({ event_id: event.id }, () => true)).id;
}

test("an expired lease is taken over: the lost attempt is in the log and is not counted", async () => {
  scene = await startScene({}, { worker: false });
  await scene.createEndpoint();
  const id = await leased("a-dead-worker", -1000);
  await scene.startWorker();
  const delivery = await scene.deliveryWhen({ id }, isDone);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1 });
  expect(delivery.attempt_log.map((one) => [one.number, one.error_code])).toEqual([
    [1, "interrupted"],
    [1, null],
  ]);
});

test("the only process ends the leases of its predecessor at once; a second process does not", async () => {
  scene = await startScene({}, { worker: false });
  await scene.createEndpoint();
  const id = await leased("the-process-before", 3_600_000);
  await scene.startWorker();
  expect(await scene.deliveryWhen({ id }, isDone)).toMatchObject({ status: "delivered", attempts: 1 });
  const other = await leased("a-worker-elsewhere", 3_600_000);
  const peer = await startDeliveries(scene.context, { settings: { pollMs: 20 } });
  const event = await scene.emit();
  await scene.deliveryWhen({ event_id: event.id }, isDone);
  const untouched = await scene.delivery(other);
  await peer.stop();
  expect(untouched).toMatchObject({ status: "pending", attempts: 0 });
});

test("a delivery that interrupts worker after worker is given up", async () => {
  scene = await startScene({}, { worker: false });
  await scene.createEndpoint();
  const id = await leased("a-dead-worker", -1000, maxInterruptions);
  await scene.startWorker();
  expect(await scene.deliveryWhen({ id }, isDone)).toMatchObject({
    status: "dead-letter",
    attempts: 0,
    last_error: "interrupted",
  });
  expect(scene.receiver.received).toHaveLength(0);
});

test("stopping aborts slow attempts, releases their deliveries and counts nothing", async () => {
  scene = await startScene({ timeoutMs: 20_000 }, { settings: { stopGraceMs: 50 } });
  await scene.createEndpoint();
  scene.receiver.answer(() => {});
  const event = await scene.emit();
  await scene.receiver.next();
  await scene.stopWorker();
  const paused = await scene.deliveryWhen({ event_id: event.id }, () => true);
  expect(paused).toMatchObject({ status: "pending", attempts: 0 });
  expect(paused.attempt_log).toMatchObject([{ error_code: "interrupted", number: 1 }]);
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  await scene.startWorker();
  expect(await scene.deliveryWhen({ event_id: event.id }, isDone)).toMatchObject({
    status: "delivered",
    attempts: 1,
  });
});

test("a late success of a worker that lost its lease still delivers; a late failure changes nothing", async () => {
  scene = await startScene();
  await scene.createEndpoint();
  const late: (() => void)[] = [];
  scene.receiver.answer((_one, response) => late.push(() => response.writeHead(200).end()));
  const event = await scene.emit();
  await scene.receiver.next();
  const { id } = await scene.deliveryWhen({ event_id: event.id }, () => true);
  await scene.context.database.queries
    .update(webhookDeliveries)
    .set({ leaseOwner: "another", leaseExpiresAt: new Date(Date.now() + 3_600_000) })
    .where(eq(webhookDeliveries.id, id));
  late[0]?.();
  expect(await scene.deliveryWhen({ id }, isDone)).toMatchObject({ status: "delivered" });
});

/** Writes many due deliveries at once; emitting events would be slower. */
async function queue(howMany: number, { id, url }: Endpoint): Promise<void> {
  const { pool } = scene.context.database;
  const { accountId } = scene.account;
  await pool.query(
    `insert into webhook_events (id, account_id, type, body, payload_expires_at)
     select 'evt_' || n, $1, 'prediction.succeeded', '{}', now() + interval '1 day' from generate_series(1, $2) n`,
    [accountId, howMany],
  );
  await pool.query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, next_attempt_at)
     select 'dlv_' || lpad(n::text, 26, '0'), $1, 'evt_' || n, $3, 'prediction.succeeded', $4, now() from generate_series(1, $2) n`,
    [accountId, howMany, id, url],
  );
}

test("500 deliveries to an endpoint that never answers do not slow a healthy endpoint", async () => {
  const timeoutMs = 4000;
  scene = await startScene({ timeoutMs });
  const hole = await startReceiver(scene.authority.local);
  hole.answer(() => {});
  scene.context.config.webhooks.ports.push(hole.port);
  const endpoint = await scene.createEndpoint(`${hole.url}/hole`);
  await queue(500, endpoint);
  await hole.next();
  await scene.createEndpoint(`${scene.receiver.url}/healthy`);
  const delays: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    const startedAt = Date.now();
    const seen = scene.receiver.received.length;
    await scene.emit();
    await scene.receiver.next((one) => scene.receiver.received.indexOf(one) >= seen);
    delays.push(Date.now() - startedAt);
  }
  expect(delays.sort((a, b) => a - b)[27]).toBeLessThan(timeoutMs / 2);
  expect(hole.received.length).toBeLessThanOrEqual(40);
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
  await hole.close();
});

test("an endpoint that only fails for too long is disabled, with a reason and an audit row", async () => {
  scene = await startScene({ backoffBaseMs: 30, autoDisableAfterMs: 1000, backoffFactor: 3 });
  const endpoint = await scene.createEndpoint();
  scene.receiver.answer((_one, response) => response.writeHead(500).end());
  await scene.emit();
  const shown = await until(
    async () => (await scene.call("GET", `/webhooks/endpoints/${endpoint.id}`)).body,
    (body) => body.status !== "enabled",
  );
  expect(shown).toMatchObject({ status: "auto-disabled", disabled_reason: "failing" });
  const rows = await scene.context.database.queries
    .select()
    .from(auditLogs)
    .where(eq(auditLogs.targetId, endpoint.id));
  expect(rows.map((row) => [row.action, row.actorType])).toContainEqual([
    "webhook_endpoint.auto_disabled",
    "system",
  ]);
  const enabled = await scene.call("PATCH", `/webhooks/endpoints/${endpoint.id}`, { status: "enabled" });
  expect(enabled.body).toMatchObject({ status: "enabled", disabled_reason: null });
});

test("a success ends a series of failures; a failing manual retry does not count towards it", async () => {
  scene = await startScene();
  const endpoint = await scene.createEndpoint();
  scene.receiver.answer((_one, response) => response.writeHead(500).end());
  const event = await scene.emit();
  const dead = await scene.deliveryWhen({ event_id: event.id }, isDone);
  const row = async () =>
    (
      await scene.context.database.queries
        .select()
        .from(webhookEndpoints)
        .where(eq(webhookEndpoints.id, endpoint.id))
    )[0];
  expect(await row()).toMatchObject({ consecutiveFailures: 8, lastSuccessAt: null });
  const retried = await scene.call("POST", `/webhooks/deliveries/${dead.id}/retry`);
  await scene.deliveryWhen({ id: String(retried.body.id) }, isDone);
  expect(await row()).toMatchObject({ consecutiveFailures: 8 });
  scene.receiver.answer((_one, response) => response.writeHead(200).end());
  const next = await scene.emit();
  await scene.deliveryWhen({ event_id: next.id }, isDone);
  expect(await row()).toMatchObject({ consecutiveFailures: 0, failingSince: null });
});

test("a changed master secret postpones deliveries, logs an error and uses up no attempt", async () => {
  scene = await startScene({}, { worker: false });
  await scene.createEndpoint();
  scene.context.config.secret = "another-master-secret-altogether";
  await scene.startWorker();
  const event = await scene.emit();
  const delivery = await scene.deliveryWhen(
    { event_id: event.id },
    (one) => Date.parse(one.next_attempt_at ?? "") > Date.now() + 30_000,
  );
  expect(delivery).toMatchObject({ status: "pending", attempts: 0 });
  expect(scene.api.logLines.join("")).toContain("AUTH_SECRET");
});

async function until<Value>(read: () => Promise<Value>, check: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (check(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
