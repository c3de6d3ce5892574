import type pg from "pg";
import { afterEach, expect, test } from "vitest";
import { type Scene, startScene } from "../testing/scene.ts";
import { type AttemptResult, attemptResult } from "./attempt-result.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { saveResults } from "./save-results.ts";

let scene: Scene;
afterEach(() => scene.close());

const timings = { dns: null, connect: null, tls: null, ttfb: null, total: 10_000 };
const outcome = {
  isSent: true,
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

/** Claims due deliveries and reports all of them as timed out. */
async function timedOut(pool: pg.Pool, limit: number): Promise<AttemptResult[]> {
  const claimed = await claimDeliveries(pool, {
    owner: "one",
    // Doubled, because one claim takes only an account's share.
    limit: 2 * limit,
    leaseMs: 30_000,
    endpointConcurrency: limit,
    busy: new Map(),
    accountRooms: new Map(),
    after: { accountId: "", endpointId: "" },
  });
  if (claimed.length !== limit) throw new Error(`${claimed.length} were due`);
  return claimed.map((delivery) => {
    const outgoing = { url: delivery.url, headers: {}, own: null, body: "{}" };
    const sent = { outgoing, startedAt: new Date(), outcome };
    return attemptResult(delivery, "one", sent, scene.context.config.webhooks);
  });
}

test("a batch whose confirmation was lost with the connection is written once, however often it is sent", async () => {
  scene = await startScene({}, { worker: false });
  const { database } = scene.context;
  const endpoint = await scene.createEndpoint();
  const event = await scene.emit();
  const pool = database.openSteadyPool(1);
  const [result] = await timedOut(pool, 1);
  if (!result?.change) throw new Error("Nothing was due");
  expect(await saveResults(pool, [result])).toMatchObject([{ id: endpoint.id }]);
  expect(await saveResults(pool, [result])).toEqual([]);
  await pool.end();
  expect(await scene.delivery(result.change.id)).toMatchObject({
    event_id: event.id,
    status: "failed",
    attempts: 1,
  });
  expect((await scene.delivery(result.change.id)).attempt_log).toHaveLength(1);
  const { rows } = await database.pool.query(
    `select h.failed, e.consecutive_failures from webhook_endpoint_hours h
     join webhook_endpoints e on e.id = h.endpoint_id`,
  );
  expect(rows).toEqual([{ failed: 1, consecutive_failures: 1 }]);
});

test("a batch and a bulk retry of the same deliveries wait for each other, and neither fails", async () => {
  scene = await startScene({}, { worker: false });
  const { database } = scene.context;
  await scene.createEndpoint();
  await scene.emit();
  await scene.emit();
  const pool = database.openSteadyPool(1);
  const results = await timedOut(pool, 2);
  const ids = results.map(({ change }) => change?.id ?? "").sort();
  const latestFirst = [...results].sort((a, b) => ((a.change?.id ?? "") < (b.change?.id ?? "") ? 1 : -1));

  const retry = await database.pool.connect();
  const lock = (id = "") => retry.query("select 1 from webhook_deliveries where id = $1 for update", [id]);
  await retry.query("begin");
  await lock(ids[0]);
  const written = saveResults(pool, latestFirst);
  const waiting =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await database.pool.query(waiting)).rows[0].n).toBe(1);
  await lock(ids[1]);
  await retry.query("commit");
  retry.release();
  expect(await written).toHaveLength(1);
  await pool.end();
});
