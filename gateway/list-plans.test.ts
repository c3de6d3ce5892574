import { afterAll, beforeAll, expect, it } from "vitest";
import { fillLists, listCases } from "#gateway/testing/full-lists.ts";
import { startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";

const rows = 60_000;
/** A list that scans all rows of its account reads thousands of pages. */
const maxPages = 300;

let gateway: TestGateway;
let accountId: string;
let read: { text: string; values: unknown[] }[] = [];

beforeAll(async () => {
  gateway = await startTestGateway({ role: "api" });
  ({ accountId } = await gateway.createAccount());
  const { pool } = gateway.context.database;
  await fillLists(pool, accountId, rows);
  const query = pool.query.bind(pool);
  pool.query = ((config: { text?: string }, values: unknown[]) => {
    if (config.text?.startsWith("select")) read.push({ text: config.text, values: [...values] });
    return query(config as never, values as never);
  }) as typeof pool.query;
}, 120_000);
afterAll(() => gateway.close());

it("every list reads few pages with every filter, however many rows match", async () => {
  expect(await listsThatReadMuch(() => true)).toEqual([]);
}, 120_000);

it("predictions with undelivered events are found as quickly when no event arrives any more", async () => {
  const { pool } = gateway.context.database;
  await pool.query("update webhook_deliveries set status = 'failed' where status = 'delivered'");
  await pool.query("vacuum analyze webhook_deliveries");
  expect(await listsThatReadMuch((name) => name.includes("undelivered"))).toEqual([]);
}, 120_000);

async function listsThatReadMuch(isChecked: (name: string) => boolean): Promise<string[]> {
  const tooMany: string[] = [];
  const cases = listCases(gateway.context, accountId, rows);
  for (const [name, list] of cases.filter(([name]) => isChecked(name))) {
    read = [];
    await list();
    const [{ text, values } = { text: "", values: [] }] = read;
    const { rows: plan } = await gateway.context.database.pool.query<{ "QUERY PLAN": string }>(
      `explain (analyze, buffers, timing off) ${text}`,
      values,
    );
    const lines = plan.map((line) => line["QUERY PLAN"]);
    const [, hit = "0", fromDisk = "0"] =
      /shared hit=(\d+)(?: read=(\d+))?/.exec(lines.find((line) => line.includes("Buffers")) ?? "") ?? [];
    const pages = Number(hit) + Number(fromDisk);
    if (pages === 0 || pages > maxPages) tooMany.push(`${name}: ${pages} pages\n${lines.join("\n")}`);
  }
  return tooMany;
}
