import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Resend } from "#contract/resends.ts";
import { stepResend } from "./resends.ts";
import { isDone, type Scene, startScene } from "./testing/scene.ts";

let scene: Scene;
let endpointId: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  scene = await startScene({}, { worker: false });
  endpointId = (await scene.createEndpoint()).id;
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await scene.close();
});

const since = "2020-01-01T00:00:00Z";
const pool = () => scene.context.database.pool;

/** Older deliveries with this status, each of its own event. */
async function seed(status: string, count: number, from = 0): Promise<void> {
  await pool().query(
    `insert into webhook_events (id, account_id, type, body, payload_expires_at)
     select 'evt_' || n, $1, 'prediction.succeeded', '{}', now() + interval '1 day'
     from generate_series($2::int + 1, $2::int + $3::int) n`,
    [scene.account.accountId, from, count],
  );
  await pool().query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, status, attempts, next_attempt_at)
     select 'dlv_01k' || lpad(n::text, 23, '0'), $1, 'evt_' || n, $2, 'prediction.succeeded', 'https://old.example.com', $5, 1,
       case when $5 = 'failed' then now() + interval '1 hour' end
     from generate_series($3::int + 1, $3::int + $4::int) n`,
    [scene.account.accountId, endpointId, from, count, status],
  );
}

async function resend(body: object = {}): Promise<{ status: number; run: Resend; code: unknown }> {
  const answer = await scene.call("POST", `/webhooks/endpoints/${endpointId}/resend`, { since, ...body });
  const run = answer.body as unknown as Resend;
  return { status: answer.status, run, code: (answer.body.error as { code?: string } | undefined)?.code };
}

const read = async (id: string | null) =>
  (await scene.call("GET", `/webhooks/resends/${id}`)).body as unknown as Resend;

/** Marks queued deliveries as accepted, like a receiver would. */
const accept = () =>
  pool().query(
    "update webhook_deliveries set status = 'delivered', next_attempt_at = null where trigger = 'bulk' and status in ('pending', 'failed')",
  );

async function stepUntilEnd(id: string | null): Promise<void> {
  while ((await read(id)).status === "running") {
    await stepResend(scene.context.database);
    await accept();
  }
}

async function sentAgain() {
  const { rows } = await pool().query(
    `select count(*)::int as made, count(distinct event_id)::int as events
     from webhook_deliveries where trigger = 'bulk' and endpoint_id = $1`,
    [endpointId],
  );
  return rows[0];
}

test("counts and sends exactly the missed events, and accepted ones only if requested", async () => {
  await seed("dead-letter", 5);
  await seed("canceled", 2, 100);
  await seed("delivered", 4, 200);
  await seed("failed", 3, 300);
  await seed("dead-letter", 6, 400);
  await pool().query("update webhook_events set body = null where id like 'evt_40%'");
  const counted = await resend({ dry_run: true });
  expect(counted).toMatchObject({ status: 200, run: { id: null, status: null, total: 7, gone: 6 } });
  expect((await resend({ dry_run: true, include: "all" })).run).toMatchObject({ total: 11, gone: 6 });
  expect((await resend({ dry_run: true, types: ["batch.finished"] })).run).toMatchObject({
    total: 0,
    gone: 0,
  });
  const begun = await resend();
  expect(begun).toMatchObject({ status: 202, run: { status: "running", total: 7, queued: 0 } });
  await stepUntilEnd(begun.run.id);
  expect(await read(begun.run.id)).toMatchObject({ status: "done", total: 7, queued: 7, gone: 6 });
  expect(await sentAgain()).toEqual({ made: 7, events: 7 });
  // They are accepted now, so nothing is missed any more.
  expect((await resend({ dry_run: true })).run).toMatchObject({ total: 0, gone: 6 });
  const list = await scene.call("GET", `/webhooks/endpoints/${endpointId}/resends`);
  expect((list.body.data as Resend[]).map(({ id }) => id)).toEqual([begun.run.id]);
});

test("ten thousand events are sent again, each once, and never more than a hundred are due", {
  timeout: 120_000,
}, async () => {
  const events = 10_000;
  await seed("dead-letter", events);
  const { run } = await resend();
  expect(run.total).toBe(events);
  while ((await read(run.id)).status === "running") {
    // Simulates several processes.
    await Promise.all([1, 2, 3].map(() => stepResend(scene.context.database)));
    const due =
      "select count(*)::int as n from webhook_deliveries where trigger = 'bulk' and status = 'pending'";
    expect((await pool().query(due)).rows[0].n).toBeLessThanOrEqual(100);
    await accept();
  }
  expect(await read(run.id)).toMatchObject({ status: "done", queued: events });
  expect(await sentAgain()).toEqual({ made: events, events });
});

test("a run can be stopped, only one runs at a time, and the next run sends the rest", async () => {
  await seed("dead-letter", 250);
  const { run } = await resend();
  expect(await resend()).toMatchObject({ status: 409, code: "resend_running" });
  await stepResend(scene.context.database);
  await accept();
  const stopped = await scene.call("POST", `/webhooks/resends/${run.id}/stop`);
  expect(stopped.body).toMatchObject({ status: "stopped", queued: 100 });
  expect(await stepResend(scene.context.database)).toBe(false);
  const rest = await resend();
  expect(rest.run.total).toBe(150);
  await stepUntilEnd(rest.run.id);
  expect(await sentAgain()).toEqual({ made: 250, events: 250 });
});

test("keeps to its own rate, and waits while its endpoint is paused", async () => {
  await seed("dead-letter", 50);
  const { run } = await resend({ rate_per_second: 10 });
  const at = (seconds: number) =>
    pool().query("update webhook_resends set stepped_at = now() - make_interval(secs => $1)", [seconds]);
  await at(0.5);
  await stepResend(scene.context.database);
  expect((await read(run.id)).queued).toBe(5);
  await at(3600);
  await stepResend(scene.context.database);
  expect((await read(run.id)).queued).toBe(15);
  await scene.call("PATCH", `/webhooks/endpoints/${endpointId}`, { status: "paused" });
  await at(1);
  expect(await stepResend(scene.context.database)).toBe(false);
  expect(await read(run.id)).toMatchObject({ queued: 15, waits_for: "endpoint" });
  await scene.call("PATCH", `/webhooks/endpoints/${endpointId}`, { status: "enabled" });
  await accept();
  await at(1);
  await stepResend(scene.context.database);
  expect((await read(run.id)).queued).toBe(25);
  await scene.call("DELETE", `/webhooks/endpoints/${endpointId}`);
  await stepResend(scene.context.database);
  expect((await read(run.id)).status).toBe("stopped");
});

test("processes that are killed during a run queue nothing twice and skip nothing", {
  timeout: 120_000,
}, async () => {
  const events = 300;
  await seed("dead-letter", events);
  const { config } = scene.context;
  const { host, port, user, password, database } = pool().options;
  const file = path.join(config.dataDir, "worker.json");
  const connection = { host, port, user, password, database };
  writeFileSync(file, JSON.stringify({ config, connection, settings: { leaseMs: 3000, pollMs: 100 } }));
  const { run } = await resend();
  for (let n = 0; n < 3; n += 1) {
    const before = (await read(run.id)).queued;
    const child = fork(path.resolve(import.meta.dirname, "./testing/worker-process.ts"), [file], {
      execArgv: [],
    });
    children.push(child);
    await expect
      .poll(async () => (await read(run.id)).queued > before || (await read(run.id)).status === "done", {
        timeout: 30_000,
        interval: 10,
      })
      .toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await stepUntilEnd(run.id);
  expect(await read(run.id)).toMatchObject({ status: "done", queued: events });
  expect(await sentAgain()).toEqual({ made: events, events });
});

test("events of another account cannot be sent, read or stopped", async () => {
  const other = await scene.api.createAccount();
  const { run } = await resend();
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
    expect((await resend(bad)).status).toBe(400);
  await scene.call("PATCH", `/webhooks/endpoints/${endpointId}`, { status: "disabled" });
  expect(await resend()).toMatchObject({ status: 409, code: "endpoint_disabled" });
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
  await seed("dead-letter", 1);
  const dead = await send(`dlv_01k${"1".padStart(23, "0")}`);
  expect(dead).toMatchObject({ status: 409, body: { error: { code: "delivery_not_retryable" } } });
  const { rows } = await pool().query(
    "select action from audit_logs where action = 'webhook_delivery.resent'",
  );
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
