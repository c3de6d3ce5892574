import { afterEach, expect, test } from "vitest";
import type { Context } from "#gateway/districts.ts";
import { createLimiter } from "#gateway/platform/limits/create-limiter.ts";
import { type Scene, startScene } from "../testing/scene.ts";
import { startDeliveries } from "./start.ts";

let scene: Scene;
afterEach(() => scene.close());

test("several processes together keep an endpoint's rate limit; deliveries wait for it and none is lost", async () => {
  scene = await startScene({ timeoutMs: 10_000 }, { worker: false });
  const rate = 20;
  const endpoint = await scene.createEndpoint(`${scene.receiver.url}/paced`, { rate_per_second: rate });
  const free = await scene.createEndpoint(`${scene.receiver.url}/free`);
  const events = 50;
  for (let n = 0; n < events; n += 1) await scene.emit();
  const waiting = await scene.call("GET", `/webhooks/endpoints/${endpoint.id}`);
  expect(waiting.body).toMatchObject({ rate_per_second: rate, waiting_deliveries: events });
  const { body } = await scene.call("GET", `/webhooks/deliveries?endpoint_id=${endpoint.id}&limit=1`);
  expect((body.data as unknown[])[0]).toMatchObject({ status: "pending", waits_for: "rate", attempts: 0 });
  const { log, database } = scene.context;
  const limiters = await Promise.all([1, 2, 3].map(() => createLimiter(database, log)));
  const workers: { stop(): Promise<void> }[] = [];
  for (const limiter of limiters)
    workers.push(
      await startDeliveries({ ...scene.context, limiter } as Context, { settings: { pollMs: 100 } }),
    );
  const paced = () => scene.receiver.received.filter(({ path }) => path === "/paced");
  await expect.poll(() => paced().length, { interval: 50 }).toBe(events);
  for (const worker of workers) await worker.stop();
  for (const limiter of limiters) await limiter.close();
  const startedAt = async (id: string): Promise<number[]> => {
    const attempts = "select started_at from webhook_attempts where endpoint_id = $1";
    const { rows } = await database.pool.query(attempts, [id]);
    return rows.map((row) => row.started_at.getTime());
  };
  const times = await startedAt(endpoint.id);
  const unpaced = await startedAt(free.id);
  const burst = rate / 10;
  for (const at of times) {
    const inSecond = times.filter((other) => other >= at && other < at + 1000).length;
    // Deliveries that were allowed one after another may start close together.
    expect(inSecond).toBeLessThanOrEqual(rate + burst + 4);
  }
  // An endpoint without a rate is not delayed by one with a rate.
  expect(Math.max(...unpaced)).toBeLessThan(Math.max(...times));
  expect(new Set(paced().map(({ headers }) => headers["x-svc-event-id"])).size).toBe(events);
  const { rows } = await database.pool.query(
    "select distinct status, attempts from webhook_deliveries where endpoint_id = any ($1)",
    [[endpoint.id, free.id]],
  );
  expect(rows).toEqual([{ status: "delivered", attempts: 1 }]);
});

test("a rate is a whole number of at least one, and null removes it", async () => {
  scene = await startScene({}, { worker: false });
  const endpoint = await scene.createEndpoint(undefined, { rate_per_second: 1 });
  const change = (rate_per_second: unknown) =>
    scene.call("PATCH", `/webhooks/endpoints/${endpoint.id}`, { rate_per_second });
  for (const bad of [0, -1, 0.5, "10", 1e9]) expect((await change(bad)).status).toBe(400);
  expect((await change(null)).body.rate_per_second).toBeNull();
});
