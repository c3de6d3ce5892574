import { expect, test } from "vitest";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { startScene } from "../testing/scene.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { saveResults } from "./save-results.ts";

const nothingBusy = {
  owner: "test",
  limit: 100,
  leaseMs: 30_000,
  endpointConcurrency: 16,
  busy: new Map(),
  accountRooms: new Map(),
  after: { accountId: "", endpointId: "" },
};

test("plans made while the queue is empty use indexes, so they stay fast when the queue is full", async () => {
  const database = await createTestDatabase();
  const pool = database.openSteadyPool(1);
  await claimDeliveries(pool, nothingBusy);
  await saveResults(pool, []);
  const plans = [
    `execute "claim-deliveries" ('test', 100, 30000, 16, '{}', '{}', '', '{}', '{}', '')`,
    `execute "write-results" ('[]', '[]', '[]', '[]', '[]')`,
  ];
  for (const statement of plans) {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${statement}`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index Scan using webhook_deliveries_pkey/);
    expect(plan).not.toMatch(/Seq Scan on webhook_(deliveries|attempts|events)/);
    expect(plan).not.toMatch(/Hash Join|Merge Join/);
    expect(plan).toMatch(
      /Index Scan using webhook_endpoints_pkey[^\n]*\n *Index Cond: \(id = \w+.endpoint_id\)/,
    );
  }
  await pool.end();
  await database.close();
});

test("deliveries that wait for disabled endpoints do not slow a claim", async () => {
  const scene = await startScene({}, { worker: false });
  const { database } = scene.context;
  const pool = database.openSteadyPool(1);
  const claimPages = async () => {
    await claimDeliveries(pool, nothingBusy);
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(
      `explain (analyze, buffers, timing off) execute "claim-deliveries" ('test', 100, 30000, 16, '{}', '{}', '', '{}', '{}', '')`,
    );
    const plan = rows.map((row) => row["QUERY PLAN"]);
    return Number(/shared hit=(\d+)/.exec(plan.find((line) => line.includes("Buffers")) ?? "")?.[1] ?? 0);
  };
  const before = await claimPages();
  for (let n = 0; n < 20; n += 1) {
    const endpoint = await scene.createEndpoint();
    await scene.call("PATCH", `/webhooks/endpoints/${endpoint.id}`, { status: "disabled" });
  }
  for (let n = 0; n < 20; n += 1) expect((await scene.emit()).deliveryIds).toHaveLength(20);
  expect(await claimPages()).toBeLessThanOrEqual(before);
  await pool.end();
  await scene.close();
});
