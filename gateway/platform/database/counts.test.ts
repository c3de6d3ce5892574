import { expect, test } from "vitest";
import { newId } from "#contract/ids.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { countStatement } from "./counts.ts";
import { isNull, sql } from "./drizzle.ts";
import { predictions, webhookDeliveries } from "./schema.ts";

const dayMs = 86_400_000;

test("counts are read from an index in order, whatever statistics the planner has", async () => {
  const database = await createTestDatabase();
  const [accountId, endpointId] = [newId("account"), newId("endpoint")];
  const since = { accountId, sinceMs: Date.now() - dayMs };
  const counts = {
    predictions_account_status: countStatement(predictions, {
      ...since,
      kind: "prediction",
      statuses: ["succeeded"],
    }),
    webhook_deliveries_account_status: countStatement(webhookDeliveries, {
      ...since,
      kind: "delivery",
      statuses: ["dead-letter"],
      matching: isNull(webhookDeliveries.retriedAs),
    }),
  };
  const expectIndexes = async () => {
    for (const [index, statement] of Object.entries(counts)) {
      const plan = await database.transaction(async (queries) => {
        await queries.execute(sql`set local enable_sort = off`);
        const { rows } = await queries.execute<{ "QUERY PLAN": string }>(sql`explain ${statement}`);
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
      expect(plan).toMatch(new RegExp(`Index (Only )?Scan Backward using ${index}`));
      expect(plan).not.toMatch(/Seq Scan|Bitmap|Sort/);
    }
  };
  await expectIndexes();
  await database.pool.query("insert into accounts (id, name) values ($1, 'busy')", [accountId]);
  await database.pool.query(
    "insert into webhook_endpoints (id, account_id, url, events) values ($1, $2, 'https://example.com', '{}')",
    [endpointId, accountId],
  );
  await database.pool.query(
    `insert into predictions (id, account_id, model, api_type, svc_region, status, next_check_at, deadline_at)
     select $2 || n, $1, 'svc/vid-t2v', 'video-generation', 'us-oregon', 'succeeded', now(), now()
     from generate_series(1, 20000) n`,
    [accountId, newId("prediction").slice(0, -5)],
  );
  await database.pool.query("analyze predictions, webhook_deliveries");
  await expectIndexes();
  await database.close();
});
