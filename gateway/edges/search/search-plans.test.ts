import { beforeAll, expect, it, vi } from "vitest";
import type { SearchAnswer } from "#contract/search.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const rows = 60_000;
const searched = 10_000;

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
const stranger = shared(() => gateway.createAccount());
beforeAll(async () => {
  const { pool } = gateway.context.database;
  for (const [index, { accountId }] of [account, stranger].entries())
    for (let from = 0; from < rows; from += 20_000)
      await pool.query(
        `insert into predictions (id, account_id, model, api_type, svc_region, status, deadline_at, input)
         select 'pred_01k' || lpad((n * 2 + $2)::text, 23, '0'), $1, 'svc/img-gen-a-1', 'image-generation', 'us-virginia', 'succeeded', now(),
           jsonb_build_object('prompt', 'number ' || n || repeat(' a red boat on the sea at dusk', 30), 'seed', n)
         from generate_series($3::int, $4::int) n`,
        [accountId, index, from, from + 19_999],
      );
  await pool.query(
    `insert into request_logs (id, account_id, at, method, route, status, duration_ms, metadata)
     select 'req_01k' || lpad(n::text, 23, '0'), $1, now(), 'POST', '/v1/chat/completions', 200, 1,
       jsonb_build_object('customer', 'Ferry ' || n % 500) from generate_series(1, $2::int) n`,
    [account.accountId, searched],
  );
  await pool.query("vacuum analyze predictions, request_logs");
}, 120_000);

async function search(q: string, bearer = account.session): Promise<SearchAnswer> {
  return (await call(gateway, bearer, "GET", `/search?q=${encodeURIComponent(q)}`))
    .body as unknown as SearchAnswer;
}

/** Other tests run at the same time, so a search that ran out of time is repeated. */
function wholeAnswer(answer: SearchAnswer): SearchAnswer {
  expect(answer.partial).toEqual([]);
  return answer;
}

// This test is first, because sessions report the statistics of their reads late.
it("reads no rows of other accounts for an empty account", async () => {
  const newcomer = await gateway.createAccount();
  const { pool } = gateway.context.database;
  const read = async () =>
    Number(
      (
        await pool.query(
          "select pg_stat_force_next_flush(), (select sum(idx_tup_fetch + seq_tup_read) from pg_stat_user_tables where relname in ('predictions', 'request_logs')) as rows",
        )
      ).rows[0].rows,
    );
  // The database reports reads late: those that the gateway made earlier may appear during one search, not during each.
  await vi.waitFor(async () => {
    const before = await read();
    expect((await search("boat", newcomer.session)).groups).toEqual([]);
    await call(gateway, newcomer.session, "GET", "/predictions?search=boat&count=true");
    expect((await read()) - before).toBeLessThan(100);
  });
});

it("searches a full table within the time limit of a search", async () => {
  const answer = await vi.waitFor(async () => wholeAnswer(await search("ferry")));
  expect(answer.groups).toMatchObject([
    {
      kind: "metadata",
      data: [{ id: expect.stringMatching(/^customer=Ferry/), about: "20 requests" }, {}, {}, {}, {}],
    },
  ]);
});

it("searches the newest ten thousand rows of the account, and no other account's", async () => {
  const found = async (n: number) => {
    const ask = () => search(`"number ${n} `.slice(1).trim());
    const answer = await vi.waitFor(async () => wholeAnswer(await ask()));
    return answer.groups.map(({ kind }) => kind);
  };
  expect(await found(rows - 1)).toEqual(["prediction"]);
  expect(await found(rows - searched)).toEqual(["prediction"]);
  expect(await found(rows - searched - 7)).toEqual([]);
  const path = `/predictions?search=${encodeURIComponent("RED boat")}&count=true&limit=2`;
  // A total that takes too long is left out.
  const body = await vi.waitFor(async () => {
    const { body } = await call(gateway, account.session, "GET", path);
    expect(body).toHaveProperty("total");
    return body;
  });
  expect(body).toMatchObject({ has_more: true, total: { count: searched, more: false } });
});
