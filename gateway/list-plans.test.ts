import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { listBatches } from "#gateway/runs/batches/read.ts";
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

it("the pictures of batches cost few pages, however many rows their batches have", async () => {
  const { pool } = gateway.context.database;
  const perBatch = 1_000;
  await pool.query(
    `insert into batches (id, account_id, model, api_type, status, concurrency, columns, billing_unit, deadline_at)
     select 'batch_01k' || lpad(n::text, 23, '0'), $1, 'svc/img-gen-a-1', 'image-generation', 'finished', 4,
       '[]', 'generation', now() from generate_series(1, $2::int) n`,
    [accountId, rows / perBatch],
  );
  // Only the last rows succeeded.
  await pool.query(
    `insert into batch_rows (batch_id, row, model, status, files)
     select 'batch_01k' || lpad((1 + n / $2::int)::text, 23, '0'), 1 + n % $2::int, 'svc/img-gen-a-1',
       case when n % $2::int < $2::int - 5 then 'failed' else 'succeeded' end, '[]' from generate_series(0, $1::int - 1) n`,
    [rows, perBatch],
  );
  await pool.query("vacuum analyze batch_rows");
  read = [];
  const list = await listBatches(gateway.context, { accountId } as Partial<Actor> as Actor, { limit: 50 });
  expect(list.data.map(({ pictures }) => pictures)).toEqual(Array(50).fill([]));
  const ofFiles = read.filter(({ text }) => text.includes('"files"'));
  expect(ofFiles).toHaveLength(1);
  for (const { text, values } of ofFiles)
    expect(await pagesOf(text, values)).toMatchObject({ isMuch: false });
}, 120_000);

async function listsThatReadMuch(isChecked: (name: string) => boolean): Promise<string[]> {
  const tooMany: string[] = [];
  const cases = listCases(gateway.context, accountId, rows);
  for (const [name, list] of cases.filter(([name]) => isChecked(name))) {
    read = [];
    await list();
    const [{ text, values } = { text: "", values: [] }] = read;
    const { pages, isMuch, lines } = await pagesOf(text, values);
    if (isMuch) tooMany.push(`${name}: ${pages} pages\n${lines.join("\n")}`);
  }
  return tooMany;
}

/** How many pages a statement reads, and its plan. */
async function pagesOf(text: string, values: unknown[]) {
  const { rows: plan } = await gateway.context.database.pool.query<{ "QUERY PLAN": string }>(
    `explain (analyze, buffers, timing off) ${text}`,
    values,
  );
  const lines = plan.map((line) => line["QUERY PLAN"]);
  const [, hit = "0", fromDisk = "0"] =
    /shared hit=(\d+)(?: read=(\d+))?/.exec(lines.find((line) => line.includes("Buffers")) ?? "") ?? [];
  const pages = Number(hit) + Number(fromDisk);
  return { pages, isMuch: pages === 0 || pages > maxPages, lines };
}
