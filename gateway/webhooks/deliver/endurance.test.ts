import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { auditLogs, webhookDeliveries, webhookEndpoints } from "#gateway/database/schema.ts";
import { startReceiver } from "#gateway/testing/receiver.ts";
import { isDone, type Scene, startScene } from "../testing/scene.ts";

let scene: Scene;
afterEach(() => scene.close());

/** A delivery that some worker leased and never gave back. */
async function leased(by: string, expires: string, interruptions = 0) {
  const event = await scene.emit();
  const { id } = await scene.deliveryWhen({ event_id: event.id }, () => true);
  await scene.context.database.pool.query(
    `update webhook_deliveries set lease_owner = $2, lease_expires_at = now() + $3::interval, interruptions = $4
     where id = $1`,
    [id, by, expires, interruptions],
  );
  return id;
}

test("a lease that ran out is taken over: the lost attempt is in the log and is not counted", async () => {
  scene = await startScene({}, { worker: false });
  await scene.createEndpoint();
  const id = await leased("a-dead-worker", "-1 second");
  await scene.startWorker();
  const delivery = await scene.deliveryWhen({ id }, isDone);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1 });
  expect(delivery.attempt_log.map((one) => [one.number, one.error_code])).toEqual([
    [1, "interrupted"],
    [1, null],
  ]);
});

test("the only process ends the leases of the one before at once; a second one leaves them alone", async () => {
  scene = await startScene({}, { worker: false });
  await scene.createEndpoint();
  const id = await leased("the-process-before", "1 hour");
  await scene.startWorker();
  expect(await scene.deliveryWhen({ id }, isDone)).toMatchObject({ status: "delivered", attempts: 1 });
  const other = await leased("a-worker-elsewhere", "1 hour");
  const second = await startScene({}, { worker: false });
  await second.close();
  const { startDeliveries } = await import("./start.ts");
  const peer = await startDeliveries(scene.context, { settings: { pollMs: 20 } });
  const event = await scene.emit();
  await scene.deliveryWhen({ event_id: event.id }, isDone);
  expect(await scene.delivery(other)).toMatchObject({ status: "pending" });
  await peer.stop();
});

test("what interrupts five workers is given up", async () => {
  scene = await startScene({}, { worker: false });
  await scene.createEndpoint();
  const id = await leased("a-dead-worker", "-1 second", 5);
  await scene.startWorker();
  expect(await scene.deliveryWhen({ id }, isDone)).toMatchObject({
    status: "dead-letter",
    attempts: 0,
    last_error: "interrupted",
  });
  expect(scene.receiver.received).toHaveLength(0);
});

test("stopping breaks off what lasts, gives the delivery back and counts nothing", async () => {
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

test("500 waiting for a black hole do not slow a healthy endpoint", async () => {
  scene = await startScene({ timeoutMs: 1500 });
  const hole = await startReceiver(scene.authority.local);
  hole.answer(() => {});
  scene.context.config.webhooks.ports.push(hole.port);
  const endpoint = await scene.createEndpoint(`${hole.url}/hole`);
  for (let n = 0; n < 500; n += 1) await scene.emit();
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
  expect(delays.sort((a, b) => a - b)[27]).toBeLessThan(250);
  expect(hole.received.length).toBeLessThanOrEqual(40);
  await scene.call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
  await hole.close();
});

test("nothing but failures for too long disables the endpoint, with its reason and an audit row", async () => {
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

test("a success ends the row of failures; a failing hand retry adds nothing to it", async () => {
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

test("a changed master secret postpones loudly and uses up no attempt", async () => {
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
