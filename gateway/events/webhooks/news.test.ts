import { afterEach, expect, test } from "vitest";
import { endpointEventTypes } from "#contract/webhook-constants.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { endpointNewsSweep } from "./news.ts";
import { webhookDeliverySweep, webhookPayloadSweep } from "./retention.ts";
import { isDone, type Scene, startScene } from "./testing/scene.ts";

let scene: Scene;
afterEach(() => scene.close());

interface News {
  id: string;
  type: string;
  data: { object: Record<string, unknown> };
}

/** The events that the endpoint at `/news` received. */
const told = (): News[] =>
  scene.receiver.received.filter(({ path }) => path === "/news").map(({ body }) => JSON.parse(body));

const types = () => told().map(({ type }) => type);

/** A failing endpoint, and another one that receives the events about it. */
async function startFailing(answer: { status: number; headers?: Record<string, string> }, webhooks = {}) {
  scene = await startScene(webhooks);
  const behaviour: { status: number; headers?: Record<string, string> } = { ...answer };
  scene.receiver.answer(({ path }, response) =>
    path === "/news"
      ? response.writeHead(204).end()
      : response.writeHead(behaviour.status, behaviour.headers).end(),
  );
  const news = await scene.createEndpoint(`${scene.receiver.url}/news`, { events: [...endpointEventTypes] });
  const failing = await scene.createEndpoint(`${scene.receiver.url}/failing`, {
    events: ["prediction.succeeded", ...endpointEventTypes],
  });
  return { behaviour, news, failing };
}

test("the fourth failure in a row, a delivery that was given up, and the recovery are each reported once", async () => {
  const { behaviour, failing } = await startFailing({ status: 500 });
  const { deliveryIds } = await scene.emit();
  await scene.deliveryWhen({ endpoint_id: failing.id, status: "dead-letter" }, isDone);
  await expect.poll(types).toEqual(["endpoint.failing", "delivery.exhausted"]);
  const [failure, exhausted] = told();
  expect(failure?.data.object).toMatchObject({
    id: failing.id,
    status: "enabled",
    object: "webhook.endpoint",
  });
  expect(failure?.data.object.consecutive_failures).toBeGreaterThanOrEqual(4);
  expect(exhausted?.data.object).toMatchObject({ id: deliveryIds[0], status: "dead-letter", attempts: 8 });
  behaviour.status = 204;
  await scene.emit();
  await expect.poll(types).toEqual(["endpoint.failing", "delivery.exhausted", "endpoint.recovered"]);
  // A dead endpoint never receives events about itself.
  const own = scene.receiver.received.filter(
    ({ path, body }) => path === "/failing" && body.includes('"endpoint.'),
  );
  expect(own).toEqual([]);
});

test("two dead endpoints do not notify each other of their failures for ever", async () => {
  scene = await startScene();
  scene.receiver.answer((_received, response) => response.writeHead(500).end());
  const events = ["prediction.succeeded", ...endpointEventTypes];
  for (const path of ["/a", "/b"]) await scene.createEndpoint(scene.receiver.url + path, { events });
  await scene.emit();
  // In one statement, because an endpoint's failure is reported a moment after its attempt is saved.
  const state = `
    select (select count(*)::int from webhook_deliveries where status in ('pending', 'failed')) as open,
      (select json_object_agg(type, n) from (
        select type, count(*)::int as n from webhook_events group by type) as t) as events`;
  await expect
    .poll(async () => (await scene.context.database.pool.query(state)).rows[0])
    .toEqual({
      open: 0,
      events: { "delivery.exhausted": 2, "endpoint.failing": 2, "prediction.succeeded": 1 },
    });
});

test.each([
  // Three attempts of one delivery; more would first be reported as failures.
  ["410 Gone", { status: 410 }, "gone", 1, "waiting", "answered 410 Gone several times"],
  [
    "the header that stops deliveries",
    { status: 200, headers: { "X-Svc-Deliveries": "Stop" } },
    ...(["stopped", 3, "delivered", "x-svc-deliveries: stop"] as const),
  ],
] as const)(
  "%s stops an endpoint's deliveries, once and with a reason, which a manual retry repeats",
  async (_name, answer, reason, emitted, becomes, why) => {
    const { behaviour, failing } = await startFailing(answer);
    const events = await Promise.all(Array.from({ length: emitted }, () => scene.emit()));
    const path = `/webhooks/endpoints/${failing.id}`;
    await expect
      .poll(async () => (await scene.call("GET", path)).body)
      .toMatchObject({
        status: "disabled",
        disabled_reason: reason,
      });
    await expect.poll(types).toEqual(["endpoint.disabled"]);
    expect(told()[0]?.data.object).toMatchObject({
      id: failing.id,
      status: "disabled",
      disabled_reason: reason,
    });
    // The statuses in any order, because the other deliveries wait.
    const statuses = () =>
      Promise.all(events.map(async ({ deliveryIds: [id = ""] }) => (await scene.delivery(id)).status));
    // A delivery that was being written while its endpoint was disabled is left to the sweep.
    await expect
      .poll(async () => {
        await sweepAll(scene.context, webhookDeliverySweep);
        return statuses();
      })
      .toContain(becomes);
    const { rows } = await scene.context.database.pool.query(
      "select detail ->> 'reason' as reason from audit_logs where action = 'webhook_endpoint.stopped'",
    );
    expect(rows).toEqual([{ reason }]);
    const before = scene.receiver.received.length;
    const { deliveryIds } = await scene.emit();
    const refused = await scene.call("POST", `/webhooks/deliveries/${deliveryIds[0]}/retry`);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "endpoint_disabled" } } });
    for (const word of [why, `PATCH /v1/webhooks/endpoints/${failing.id}`, '{"status": "enabled"}'])
      expect(refused.body.error).toMatchObject({ message: expect.stringContaining(word) });
    behaviour.status = 204;
    behaviour.headers = {};
    await scene.call("PATCH", path, { status: "enabled" });
    await expect.poll(types).toEqual(["endpoint.disabled", "endpoint.recovered"]);
    expect(scene.receiver.received.length).toBeGreaterThan(before);
  },
);

test.each([
  ["twice", [410, 410, 204], "delivered"],
  ["never three times in a row", [410, 410, 500, 410, 410, 204], "delivered"],
  ["at last three times in a row", [410, 500, 410, 410, 410], "waiting"],
] as const)("a receiver that answers 410 %s: %j is recorded as %s", async (_name, answers, status) => {
  scene = await startScene();
  const left = [...answers];
  // The next attempt may be in flight before the endpoint is disabled.
  scene.receiver.answer((_received, response) =>
    response.writeHead(left.shift() ?? answers.at(-1) ?? 0).end(),
  );
  const endpoint = await scene.createEndpoint();
  const { deliveryIds } = await scene.emit();
  await expect
    .poll(async () => {
      // A delivery that was being written while its endpoint stopped is left to the sweep.
      await sweepAll(scene.context, webhookDeliverySweep);
      return (await scene.delivery(deliveryIds[0] ?? "")).status;
    })
    .toBe(status);
  expect(scene.receiver.received.length).toBeGreaterThanOrEqual(answers.length);
  const { body } = await scene.call("GET", `/webhooks/endpoints/${endpoint.id}`);
  expect(body.status).toBe(status === "waiting" ? "disabled" : "enabled");
});

test.each([
  ["410 Gone", { status: 410 }, {}],
  ["the header that stops deliveries", { status: 500, headers: { "x-svc-deliveries": "stop" } }, {}],
  ["failures for too long", { status: 500 }, { autoDisableAfterMs: 1 }],
] as const)(
  "with extensions off, %s end no delivery before its eighth attempt",
  async (_name, answer, webhooks) => {
    const { failing } = await startFailing(answer, webhooks);
    const { config } = scene.context;
    const path = `/webhooks/endpoints/${failing.id}`;
    const statusOf = async () => (await scene.call("GET", path)).body.status;
    // Disabled while extensions were on: nobody can enable it now, so the next start does.
    const before = await scene.emit();
    await expect.poll(statusOf).not.toBe("enabled");
    await scene.stopWorker();
    config.extensions = false;
    await scene.startWorker();
    expect(await statusOf()).toBe("enabled");
    const after = await scene.emit();
    await sweepAll(scene.context, webhookDeliverySweep);
    expect([before, after].map(({ deliveryIds }) => deliveryIds.length)).toEqual([1, 1]);
    for (const { deliveryIds } of [before, after])
      for (const id of deliveryIds)
        await expect.poll(() => scene.delivery(id)).toMatchObject({ status: "dead-letter", attempts: 8 });
    expect(await statusOf()).toBe("enabled");
  },
);

test("disabling an endpoint manually is reported, pausing it is not", async () => {
  const { failing } = await startFailing({ status: 204 });
  for (const status of ["paused", "disabled", "enabled"])
    await scene.call("PATCH", `/webhooks/endpoints/${failing.id}`, { status });
  await expect.poll(types).toEqual(["endpoint.disabled"]);
  expect(told()[0]?.data.object).toMatchObject({ disabled_reason: "manual" });
});

test("the sweep reports a failure once that a killed process could not report", async () => {
  const { failing } = await startFailing({ status: 204 });
  await scene.context.database.pool.query(
    "update webhook_endpoints set consecutive_failures = 9 where id = $1",
    [failing.id],
  );
  await Promise.all([1, 2, 3].map(() => sweepAll(scene.context, endpointNewsSweep)));
  await expect.poll(types).toEqual(["endpoint.failing"]);
  await sweepAll(scene.context, endpointNewsSweep);
  const { rows } = await scene.context.database.pool.query(
    "select count(*)::int as n from webhook_events where type = 'endpoint.failing'",
  );
  expect(rows[0].n).toBe(1);
});

test("a delivery whose payload was removed before it could be sent is reported", async () => {
  const { failing } = await startFailing({ status: 204 });
  await scene.call("PATCH", `/webhooks/endpoints/${failing.id}`, { status: "paused" });
  const { id } = await scene.emit();
  await scene.context.database.pool.query(
    "update webhook_events set payload_expires_at = now() where id = $1",
    [id],
  );
  await sweepAll(scene.context, webhookPayloadSweep);
  await expect.poll(types).toEqual(["delivery.exhausted"]);
  expect(told()[0]?.data.object).toMatchObject({ event_id: id, last_error: "payload_expired" });
});
