import { afterEach, expect, test } from "vitest";
import { isDone, type Scene, startScene } from "../testing/scene.ts";

let scene: Scene;
afterEach(() => scene.close());

test("an account with many silent endpoints and a backlog does not keep another account's delivery waiting", async () => {
  scene = await startScene(
    { timeoutMs: 25_000 },
    { settings: { concurrency: 8, endpointConcurrency: 4, maxHeld: 16, stopGraceMs: 50 } },
  );
  scene.receiver.answer(({ path }, response) => {
    if (path !== "/silent") response.writeHead(204).end();
  });
  for (let n = 0; n < 20; n += 1) await scene.createEndpoint(`${scene.receiver.url}/silent`);
  for (let n = 0; n < 3; n += 1) await scene.emit();
  await scene.receiver.next(() => scene.receiver.received.length >= 6);

  const other = await scene.api.createAccount();
  const made = await scene.api.call(other.key, "POST", "/webhooks/endpoints", {
    url: `${scene.receiver.url}/quick`,
  });
  expect(made.status).toBe(201);
  await scene.emit("prediction.succeeded", undefined, other.accountId);
  await scene.receiver.next(({ path }) => path === "/quick");

  const { body } = await scene.call("GET", "/webhooks/deliveries");
  expect((body.data as never[]).some(isDone)).toBe(false);
});

test("three hundred endpoints that fail together do not keep another account's delivery waiting while each is reported", async () => {
  scene = await startScene({ backoffBaseMs: 50 });
  const { pool } = scene.context.database;
  scene.receiver.answer(({ path }, response) => response.writeHead(path === "/well" ? 204 : 500).end());
  const count = 300;
  for (let made = 0; made < count; made += 100) {
    const { key } = await scene.api.createAccount();
    for (let n = 0; n < 100; n += 1)
      await scene.api.call(key, "POST", "/webhooks/endpoints", { url: `${scene.receiver.url}/broken` });
  }
  const { rows } = await pool.query<{ id: string }>(
    "select distinct account_id as id from webhook_endpoints",
  );
  const other = await scene.api.createAccount();
  await scene.api.call(other.key, "POST", "/webhooks/endpoints", { url: `${scene.receiver.url}/well` });
  const unreported = async () =>
    (
      await pool.query<{ n: number }>(
        "select count(*)::int as n from webhook_endpoints where failing_told_at is null and account_id <> $1",
        [other.accountId],
      )
    ).rows[0]?.n ?? 0;
  /** Time until a delivery of the other account is recorded as delivered. */
  const deliverMs = async () => {
    const startedMs = performance.now();
    const { deliveryIds } = await scene.emit("prediction.succeeded", undefined, other.accountId);
    await expect
      .poll(
        async () =>
          (await scene.api.call(other.key, "GET", `/webhooks/deliveries/${deliveryIds[0]}`)).body.status,
        {
          timeout: 60_000,
          interval: 10,
        },
      )
      .toBe("delivered");
    return performance.now() - startedMs;
  };
  await deliverMs();
  for (const { id } of rows) await scene.emit("prediction.succeeded", undefined, id);
  await expect.poll(unreported, { timeout: 60_000, interval: 10 }).toBeLessThan(count);
  const waitsMs: number[] = [];
  while ((await unreported()) > 0) waitsMs.push(await deliverMs());
  // One endpoint at a time, the writer took half a minute and more for this. On a busy machine a single
  // delivery may be late, so the median counts.
  const median = waitsMs.toSorted((one, other) => one - other)[Math.floor(waitsMs.length / 2)];
  expect(median).toBeLessThan(5_000);
});
