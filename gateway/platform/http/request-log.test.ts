import { expect, test } from "vitest";
import { newId } from "#contract/ids.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { requestLogs } from "#gateway/platform/database/schema.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { writeLog } from "./request-log.ts";

test("a backlog of the log is written completely, and can be written twice", async () => {
  const database = await createTestDatabase();
  const row = {
    account_id: newId("account"),
    at: new Date("2026-11-20T10:11:12.345Z"),
    method: "POST",
    route: "/v1/chat/completions",
    status: 200,
    code: null,
    model: "svc/chat-1",
    region: "us-virginia",
    provider: "sandbox",
    alias: "fast",
    metadata: '{"customer":"acme"}',
    key_id: null,
    user_id: null,
    duration_ms: 12.5,
    usage_unit: "token",
    usage_quantity: 17,
    charge: null,
    charge_reason: null,
    from_session: false,
    run_id: "gen_1",
    bytes_in: 120,
    bytes_out: 340,
    tokens_out: 7,
    asked_ms: 2,
    first_ms: null,
    answered_ms: 12,
    failed_tries: null,
    guards: null,
    upstream_key: null,
    failure: null,
    contents: null,
    client_request_id: null,
    conversation: null,
    actor_id: "key_1",
    of_operation: true,
  };
  const rows = Array.from({ length: 20_000 }, () => ({ ...row, id: newId("request") }));
  await writeLog(database, rows);
  await writeLog(database, rows);
  expect(await database.queries.$count(requestLogs)).toBe(rows.length);
  const [first] = await database.queries
    .select()
    .from(requestLogs)
    .where(eq(requestLogs.id, rows[0]?.id ?? ""));
  expect(first).toMatchObject({
    id: rows[0]?.id,
    accountId: row.account_id,
    at: row.at,
    method: "POST",
    route: "/v1/chat/completions",
    status: 200,
    code: null,
    model: "svc/chat-1",
    region: "us-virginia",
    provider: "sandbox",
    alias: "fast",
    metadata: { customer: "acme" },
    keyId: null,
    durationMs: 12.5,
    usageUnit: "token",
    usageQuantity: 17,
    fromSession: false,
    count: null,
    runId: "gen_1",
    bytesIn: 120,
    bytesOut: 340,
    tokensOut: 7,
    askedMs: 2,
    firstMs: null,
    answeredMs: 12,
    failedTries: null,
  });
  const [{ runs } = { runs: 0 }] = (
    await database.queries.execute<{ runs: number }>(
      sql`select sum(runs)::int as runs from figure_additions where set = 'model'`,
    )
  ).rows;
  expect(runs).toBe(rows.length);
  await database.close();
});
