import { once } from "node:events";
import http from "node:http";
import { beforeAll, expect, it } from "vitest";
import { readCsv } from "#contract/csv.ts";
import { newId } from "#contract/ids.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { fillLists } from "#gateway/testing/full-lists.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

/** More than four pages of a file. */
const rows = 2_500;
const metadata = JSON.stringify({ customer: 'acme, "the first"' });

beforeAll(async () => {
  const { queries } = gateway.context.database;
  const ids = Array.from({ length: rows }, () => newId("request")).sort();
  await queries.execute(sql`
    insert into request_logs (id, account_id, at, method, route, status, code, model, metadata, duration_ms)
    select id, ${account.accountId}, now(), 'POST', '/v1/chat/completions', case when n % 100 = 0 then 400 else 200 end, null,
      '=cmd|'' /C calc''!A0', ${metadata}::jsonb, 12.5
    from unnest(${sql.param(ids)}::text[]) with ordinality as given (id, n)`);
});

async function download(path: string, bearer: string) {
  const answer = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  const text = await answer.text();
  const [head = { cells: [] }, ...lines] = readCsv(text, ",");
  const records = lines.map(({ cells }) =>
    Object.fromEntries(head.cells.map((name, index) => [name, cells[index] ?? ""])),
  );
  return { answer, text, records };
}

it("has every row of the list, in its order, with cells that no spreadsheet runs", async () => {
  const { answer, text, records } = await download("/requests/export?route=chat", account.key);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="requests.csv"');
  expect(text.startsWith("id,at,method,route,status,code,")).toBe(true);
  expect(records).toHaveLength(rows);
  const ids = records.map(({ id = "" }) => id);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(records[0]).toMatchObject({
    model: "'=cmd|' /C calc'!A0",
    metadata,
    code: "",
    duration_ms: "12.5",
  });
});

it("has the filters of the list, and refuses pages, unknown filters and times that are none", async () => {
  const filtered = await download("/requests/export?route=chat&status=400", account.key);
  expect(filtered.records).toHaveLength(rows / 100);
  const stranger = await gateway.createAccount();
  expect((await download("/requests/export?route=chat", stranger.key)).records).toEqual([]);
  for (const query of ["limit=5", "after=req_1", "colour=red", "created_after=yesterday"])
    expect((await call(gateway, account.key, "GET", `/requests/export?${query}`)).status, query).toBe(400);
  const head = await fetch(`${gateway.url}/requests/export`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${account.key}` },
  });
  expect(head.status).toBe(404);
});

it("has the changes of the account, with their details as JSON", async () => {
  const { records } = await download("/audit_logs/export?action=account.created", account.session);
  expect(records).toMatchObject([{ action: "account.created", target_id: account.accountId }]);
  const viewer = await gateway.addMember(account, "viewer");
  expect((await call(gateway, viewer.session, "GET", "/audit_logs/export")).status).toBe(403);
});

it("has the deliveries with their endpoints, without what was sent", async () => {
  const made = await call(gateway, account.key, "POST", "/webhooks/endpoints", {
    url: "https://example.com/hook",
    description: "@SUM(A1)",
  });
  const endpoint = String(made.body.id);
  const tested = await call(gateway, account.key, "POST", `/webhooks/endpoints/${endpoint}/test`);
  const { records } = await download(`/webhooks/deliveries/export?endpoint_id=${endpoint}`, account.key);
  expect(records).toMatchObject([
    { id: tested.body.id, endpoint_description: "'@SUM(A1)", event_type: "endpoint.test", attempts: "0" },
  ]);
  expect(Object.keys(records[0] ?? {}).filter((name) => /body|header/.test(name))).toEqual([]);
});

it("is not read further once the caller has left", async () => {
  const { pool } = gateway.context.database;
  const big = await gateway.createAccount();
  await fillLists(pool, big.accountId, 40_000, ["request_logs"]);
  const query = pool.query.bind(pool);
  let reads = 0;
  pool.query = ((config: { text?: string }, values: unknown[]) => {
    if (config.text?.includes('from "request_logs"')) reads += 1;
    return query(config as never, values as never);
  }) as typeof pool.query;
  try {
    const headers = { authorization: `Bearer ${big.key}` };
    const request = http.get(`${gateway.url}/requests/export`, { headers });
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    answer.destroy();
    await once(answer, "close");
    await expect
      .poll(async () => {
        const before = reads;
        await call(gateway, big.key, "GET", "/account");
        return reads - before;
      })
      .toBe(0);
  } finally {
    pool.query = query as typeof pool.query;
  }
  // The whole file takes eighty reads.
  expect(reads).toBeLessThan(40);
});
