import { afterEach, expect, test } from "vitest";
import { type Scene, startScene } from "../testing/scene.ts";
import { claimDeliveries } from "./claim.ts";
import { attemptResult } from "./result.ts";
import { writeResults } from "./write-results.ts";

let scene: Scene;
afterEach(() => scene.close());

test("a batch whose answer was lost with the connection is written once, however often it is sent", async () => {
  scene = await startScene({}, { worker: false });
  const { database, config } = scene.context;
  const endpoint = await scene.createEndpoint();
  const event = await scene.emit();
  const pool = database.openSteadyPool(1);
  const lease = { owner: "one", limit: 1, leaseMs: 30_000, endpointConcurrency: 1 };
  const [delivery] = await claimDeliveries(pool, { ...lease, busy: new Map(), afterEndpoint: "" });
  if (!delivery) throw new Error("Nothing was due");
  const outgoing = { url: delivery.url, headers: {}, body: "{}" };
  const timings = { dns: null, connect: null, tls: null, ttfb: null, total: 10_000 };
  const outcome = {
    errorCode: "timeout",
    errorDetail: "No answer",
    status: null,
    headers: null,
    body: null,
    truncated: false,
    retryAfterMs: null,
    remoteIp: null,
    timings,
  } as const;
  const result = attemptResult(
    delivery,
    "one",
    { outgoing, startedAt: new Date(), outcome },
    config.webhooks,
  );
  expect(await writeResults(pool, [result])).toMatchObject([{ id: endpoint.id }]);
  expect(await writeResults(pool, [result])).toEqual([]);
  await pool.end();
  expect(await scene.delivery(delivery.id)).toMatchObject({
    event_id: event.id,
    status: "failed",
    attempts: 1,
  });
  expect((await scene.delivery(delivery.id)).attempt_log).toHaveLength(1);
  const { rows } = await database.pool.query(
    `select h.failed, e.consecutive_failures from webhook_endpoint_hours h
     join webhook_endpoints e on e.id = h.endpoint_id`,
  );
  expect(rows).toEqual([{ failed: 1, consecutive_failures: 1 }]);
});
