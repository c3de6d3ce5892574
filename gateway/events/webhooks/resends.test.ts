import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Resend } from "#contract/resends.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { countDue } from "./endpoints/read.ts";
import { stepResend } from "./resends.ts";
import { type MissedEvents, missedEvents, since } from "./testing/missed-events.ts";
import { isDone, type Scene, startScene } from "./testing/scene.ts";

let scene: Scene;
let endpointId: string;
let missed: MissedEvents;
beforeEach(async () => {
  scene = await startScene({}, { worker: false });
  endpointId = (await scene.createEndpoint()).id;
  missed = missedEvents(scene, endpointId);
});
afterEach(() => scene.close());

test("counts and sends exactly the missed events, and accepted ones only if requested", async () => {
  await missed.seed("dead-letter", 5);
  await missed.seed("canceled", 2, 100);
  await missed.seed("delivered", 4, 200);
  await missed.seed("failed", 3, 300);
  await missed.seed("dead-letter", 6, 400);
  await missed.pool().query("update webhook_events set body = null where id like 'evt_40%'");
  const counted = await missed.resend({ dry_run: true });
  expect(counted).toMatchObject({ status: 200, run: { id: null, status: null, total: 7, gone: 6 } });
  expect((await missed.resend({ dry_run: true, include: "all" })).run).toMatchObject({ total: 11, gone: 6 });
  expect((await missed.resend({ dry_run: true, types: ["batch.finished"] })).run).toMatchObject({
    total: 0,
    gone: 0,
  });
  const begun = await missed.resend();
  expect(begun).toMatchObject({ status: 202, run: { status: "running", total: 7, queued: 0 } });
  await missed.stepUntilEnd(begun.run.id);
  expect(await missed.read(begun.run.id)).toMatchObject({ status: "done", total: 7, queued: 7, gone: 6 });
  expect(await missed.sentAgain()).toEqual({ made: 7, events: 7 });
  // They are accepted now, so nothing is missed any more.
  expect((await missed.resend({ dry_run: true })).run).toMatchObject({ total: 0, gone: 6 });
  const list = await scene.call("GET", `/webhooks/endpoints/${endpointId}/resends`);
  expect((list.body.data as Resend[]).map(({ id }) => id)).toEqual([begun.run.id]);
});

test("a run can be stopped, only one runs at a time, and the next run sends the rest", async () => {
  await missed.seed("dead-letter", 250);
  const { run } = await missed.resend();
  expect(await missed.resend()).toMatchObject({ status: 409, code: "resend_running" });
  await stepResend(scene.context.database);
  await missed.accept();
  const stopped = await scene.call("POST", `/webhooks/resends/${run.id}/stop`);
  expect(stopped.body).toMatchObject({ status: "stopped", queued: 100 });
  expect(await stepResend(scene.context.database)).toBe(false);
  const rest = await missed.resend();
  expect(rest.run.total).toBe(150);
  await missed.stepUntilEnd(rest.run.id);
  expect(await missed.sentAgain()).toEqual({ made: 250, events: 250 });
});

test("a step that began before another one queued its deliveries counts them", async () => {
  await missed.seed("dead-letter", 250);
  await missed.resend();
  const due = await scene.context.database.transaction(async (queries) => {
    await queries.execute(sql`select 1`);
    await stepResend(scene.context.database);
    return countDue(queries, [endpointId]);
  });
  expect(due.get(endpointId)).toBe(100);
});

test("keeps to its own rate, and waits while its endpoint is paused", async () => {
  await missed.seed("dead-letter", 50);
  const { run } = await missed.resend({ rate_per_second: 10 });
  /** One step, exactly this long after the last one. */
  const stepAfter = async (seconds: number) => {
    const now = new Date();
    const before = new Date(now.getTime() - seconds * 1000);
    await missed.pool().query("update webhook_resends set stepped_at = $1", [before]);
    const stopped = vi.spyOn(clock, "date").mockReturnValue(now);
    try {
      return await stepResend(scene.context.database);
    } finally {
      stopped.mockRestore();
    }
  };
  await stepAfter(0.5);
  expect((await missed.read(run.id)).queued).toBe(5);
  await stepAfter(3600);
  expect((await missed.read(run.id)).queued).toBe(15);
  await scene.call("PATCH", `/webhooks/endpoints/${endpointId}`, { status: "paused" });
  expect(await stepAfter(1)).toBe(false);
  expect(await missed.read(run.id)).toMatchObject({ queued: 15, waits_for: "endpoint" });
  await scene.call("PATCH", `/webhooks/endpoints/${endpointId}`, { status: "enabled" });
  await missed.accept();
  await stepAfter(1);
  expect((await missed.read(run.id)).queued).toBe(25);
  await scene.call("DELETE", `/webhooks/endpoints/${endpointId}`);
  await stepResend(scene.context.database);
  expect((await missed.read(run.id)).status).toBe("stopped");
});

test("events of another account cannot be sent, read or stopped", async () => {
  const other = await scene.api.createAccount();
  const { run } = await missed.resend();
  const asOther = (method: string, at: string, body?: object) => scene.api.call(other.key, method, at, body);
  const answers = [
    await asOther("POST", `/webhooks/endpoints/${endpointId}/resend`, { since }),
    await asOther("GET", `/webhooks/endpoints/${endpointId}/resends`),
    await asOther("GET", `/webhooks/resends/${run.id}`),
    await asOther("POST", `/webhooks/resends/${run.id}/stop`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test("invalid times, types and states are refused", async () => {
  for (const bad of [
    { since: "yesterday" },
    { since: new Date(Date.now() + 60_000).toISOString() },
    { until: "2019-01-01T00:00:00Z" },
    { types: ["no.such"] },
    { types: [] },
    { rate_per_second: 0 },
    { include: "everything" },
    { more: 1 },
  ])
    expect((await missed.resend(bad)).status).toBe(400);
  await scene.call("PATCH", `/webhooks/endpoints/${endpointId}`, { status: "disabled" });
  expect(await missed.resend()).toMatchObject({ status: 409, code: "endpoint_disabled" });
});

test("a delivered event is sent again by a separate API route, which accepts nothing else", async () => {
  await scene.startWorker();
  const { id } = await scene.emit();
  const delivered = await scene.deliveryWhen({ event_id: id }, isDone);
  const send = (delivery: string) => scene.call("POST", `/webhooks/deliveries/${delivery}/resend`);
  const [one, two] = await Promise.all([send(delivered.id), send(delivered.id)]);
  expect(one).toMatchObject({
    status: 202,
    body: { event_id: id, retry_of: delivered.id, trigger: "manual" },
  });
  expect(two.status).toBe(202);
  await expect
    .poll(() => scene.receiver.received.filter(({ body }) => body.includes(id)).length)
    .toBeGreaterThan(1);
  expect((await scene.call("POST", `/webhooks/deliveries/${delivered.id}/retry`)).body.error).toMatchObject({
    code: "delivery_not_retryable",
  });
  await missed.seed("dead-letter", 1);
  const dead = await send(`dlv_01k${"1".padStart(23, "0")}`);
  expect(dead).toMatchObject({ status: 409, body: { error: { code: "delivery_not_retryable" } } });
  const { rows } = await missed
    .pool()
    .query("select action from audit_logs where action = 'webhook_delivery.resent'");
  expect(rows.length).toBeGreaterThan(0);
});

test("a double click sends an accepted event once more, with its id and its bytes", async () => {
  await scene.startWorker();
  const { id } = await scene.emit();
  const delivered = await scene.deliveryWhen({ event_id: id }, isDone);
  const click = (key: string) =>
    scene.api.app.inject({
      method: "POST",
      url: `/v1/webhooks/deliveries/${delivered.id}/resend`,
      headers: { authorization: `Bearer ${scene.account.key}`, "idempotency-key": key },
    });
  const first = await click("one-dialog");
  expect(first.statusCode, first.body).toBe(202);
  const again = first.json<{ id: string }>().id;
  await expect.poll(async () => (await scene.delivery(again)).status).toBe("delivered");
  // It has ended, so only the key shows that this is the same request.
  expect((await click("one-dialog")).json()).toMatchObject({ id: again });
  const received = scene.receiver.received.filter(({ headers }) => headers["x-svc-event-id"] === id);
  expect(received).toHaveLength(2);
  expect(received[1]?.body).toBe(received[0]?.body);
  // A new key requests a new run.
  const third = (await click("another-dialog")).json<{ id: string }>().id;
  expect(third).not.toBe(again);
  await expect.poll(async () => (await scene.delivery(third)).status).toBe("delivered");
  const made = await scene.call("GET", `/webhooks/deliveries?event_id=${id}`);
  expect(made.body.data).toHaveLength(3);
});
