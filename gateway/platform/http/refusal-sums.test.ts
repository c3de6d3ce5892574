import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { RefusalSums } from "./refusal-sums.ts";

it("requests that a limit rejects are one row with their count, and the others have a row each", async () => {
  const gateway = await startTestGateway({ role: "api", apiRequestsPerMinute: 20 });
  const { key, session } = await gateway.createAccount();
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => (await call(gateway, key, "GET", "/account")).status),
  );
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThan(30);
  const { pool } = gateway.context.database;
  // The sums are written from time to time, so the first rows may not count all refusals yet.
  const sum = "select coalesce(sum(count), 0)::int as counted from request_logs where status = 429";
  const counted = async () => (await pool.query(sum)).rows[0].counted;
  await vi.waitFor(async () => expect(await counted()).toBe(refused), { timeout: 10_000 });
  const { body } = await call(gateway, session, "GET", "/requests?limit=100&status=429");
  const rows = body.data as { count: number }[];
  expect(rows.length).toBeLessThanOrEqual(2); // A new minute may have begun meanwhile.
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(refused);
  const lines = gateway.logLines.filter((line) => line.includes('"status":429'));
  expect(lines).toEqual([]);
  await gateway.close();
}, 60_000);

it("a million of them, from several processes, add less than a megabyte", async () => {
  const database = await createTestDatabase();
  const log = pino({ level: "silent" });
  const processes = [0, 1].map(() => new RefusalSums(database.queries, log));
  const row = {
    account_id: newId("account"),
    method: "POST",
    route: "/v1/chat/completions",
    status: 429,
    code: "rate_limit_exceeded",
    model: null,
    region: null,
    provider: null,
    alias: null,
    metadata: null,
    key_id: newId("key"),
    user_id: null,
    duration_ms: 1,
    usage_unit: null,
    usage_quantity: null,
    charge: null,
    charge_reason: null,
    from_session: false,
    run_id: null,
    bytes_in: null,
    bytes_out: null,
    tokens_out: null,
    asked_ms: null,
    first_ms: null,
    answered_ms: null,
    failed_tries: null,
    guards: null,
    upstream_key: null,
    failure: JSON.stringify({ message: "More than 60 operations a minute.", param: null, model: null }),
    contents: null,
    client_request_id: null,
    conversation: null,
    actor_id: "key_1",
    of_operation: true,
  };
  for (let round = 0; round < 100; round += 1) {
    for (const sums of processes) for (let count = 0; count < 5_000; count += 1) sums.add(row);
    await Promise.all(processes.map((sums) => sums.flush()));
  }
  const { rows } = await database.pool.query(
    "select count(*)::int as rows, sum(count)::int as refused, pg_total_relation_size('request_logs')::int as bytes from request_logs",
  );
  expect(rows[0]).toMatchObject({ refused: 1_000_000 });
  expect(rows[0].rows).toBeLessThanOrEqual(2);
  expect(rows[0].bytes).toBeLessThan(1_000_000);
  const { rows: messages } = await database.pool.query(
    "select failure ->> 'message' as said from request_logs",
  );
  expect(messages[0].said).toBe("More than 60 operations a minute.");
  await Promise.all(processes.map((sums) => sums.close()));
  await database.close();
});
