import { once } from "node:events";
import { request } from "node:http";
import { expect, test } from "vitest";
import type { LoadList, LoadRow } from "#contract/load.ts";
import { describeNotice, messageWords } from "#gateway/events/notices/describe-notice.ts";
import { recordOperatorCauses } from "#gateway/monitoring/status/operator-watch.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { sender, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const operator = shared(() => gateway.createAccount());
const send = sender(() => gateway);

const read = async (bearer: string, path: string) =>
  (await send(bearer, "GET", path)).body as unknown as LoadList;
const load = (query: string) => read(operator.session, `/operator/load?${query}`);

async function loudAccount(): Promise<TestAccount> {
  const account = await gateway.createAccount();
  await gateway.context.database.pool.query("update accounts set name = 'Loud' where id = $1", [
    account.accountId,
  ]);
  return account;
}

/** The group of a list, once the requests before are counted. */
async function groupOf(list: () => Promise<LoadList>, group: string | null): Promise<LoadRow | undefined> {
  return (await list()).data.find((row) => row.group === group);
}

test("counts requests by account, key, model, provider, route and region, and shares out the processor time", async () => {
  const account = await loudAccount();
  const second = await gateway.createKey(account.accountId, { name: "second" });
  const chat = (bearer: string, model: string) =>
    send(bearer, "POST", "/chat/completions", {
      model,
      region: "us-virginia",
      messages: [{ role: "user", content: "Hello" }],
    });
  for (const [bearer, model] of [
    [account.key, "svc/chat-1"],
    [account.key, "svc/chat-1"],
    [second, "svc/chat-2"],
  ] as const)
    expect((await chat(bearer, model)).status).toBe(200);
  const own = `account_id=${account.accountId}`;
  await expect
    .poll(() => groupOf(() => load("by=account"), account.accountId))
    .toMatchObject({ name: "Loud", account_id: account.accountId, requests: 3, running: 0, deliveries: 0 });
  const { data, total } = await load("by=account");
  const loud = data.find(({ group }) => group === account.accountId);
  expect(loud?.processor_ms).toBeGreaterThan(0);
  expect(loud?.bytes_in).toBeGreaterThan(100);
  expect(total.requests).toBeGreaterThanOrEqual(3);
  const counts = async (by: string) =>
    (await load(`by=${by}&${own}`)).data.map(({ group, requests }) => [group, requests]).sort();
  expect(await counts("model")).toEqual([
    ["svc/chat-1", 2],
    ["svc/chat-2", 1],
  ]);
  expect(await counts("route")).toEqual([["POST /v1/chat/completions", 3]]);
  expect(await counts("region")).toEqual([["us-virginia", 3]]);
  expect(await counts("provider")).toEqual([["sandbox", 3]]);
  expect((await load(`by=key&${own}`)).data).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ name: "second", requests: 1, account_name: "Loud", deliveries: null }),
    ]),
  );
  const seen = await read(account.key, "/account/load");
  expect(seen.data.map(({ account_id }) => account_id)).toEqual([account.accountId, account.accountId]);
  expect(seen.total.requests).toBe(3);
  for (const wrong of ["by=account", "minutes=16", "account_id=acct_1"])
    expect((await send(account.key, "GET", `/account/load?${wrong}`)).status).toBe(400);
});

test("shows what runs now, and the deliveries that are due", async () => {
  const account = await gateway.createAccount();
  const answer = await fetch(`${gateway.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ model: "svc/chat-1", stream: true },
      messages: [{ role: "user", content: "Write a long story. ".repeat(200) }],
    }),
  });
  const row = () => groupOf(() => load(`by=model&account_id=${account.accountId}`), "svc/chat-1");
  await expect.poll(row).toMatchObject({ running: 1, requests: 0 });
  await answer.body?.cancel();
  await expect.poll(row).toMatchObject({ running: 0, requests: 1 });
});

test("counts no bytes that a client announces and never sends", async () => {
  const account = await gateway.createAccount();
  const sent = request(`${gateway.url}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      "content-length": "1000000000000",
    },
  });
  sent.on("error", () => {});
  sent.flushHeaders();
  const [answer] = await once(sent, "response");
  sent.destroy();
  expect(answer.statusCode).toBe(413);
  const row = () =>
    groupOf(() => load(`by=route&account_id=${account.accountId}`), "POST /v1/chat/completions");
  await expect.poll(row).toMatchObject({ requests: 1, bytes_in: 0 });
});

test("names the account to operators when a process has no processor time left", async () => {
  const account = await loudAccount();
  const { pool } = gateway.context.database;
  const busy = async (ms: number) => {
    await pool.query("delete from process_loads where process_id = 'busy:1:x'");
    await pool.query(
      `insert into process_loads (process_id, minute, rows)
       select 'busy:1:x', date_trunc('minute', now()) - make_interval(mins => at), $1 from generate_series(0, 5) as at`,
      [
        JSON.stringify([
          [account.accountId, "key_1", "svc/chat-1", "", "", "POST /v1/chat/completions", 90, 0, 0, ms, 0],
          ["acct_other", "key_2", "svc/chat-1", "", "", "POST /v1/chat/completions", 9, 0, 0, 5_000, 0],
        ]),
      ],
    );
  };
  const causes = async () => {
    await recordOperatorCauses(gateway.context, []);
    const { rows } = await pool.query("select subject_id, data from notice_causes where cause = 'load.high'");
    return rows;
  };
  // With the current minute, six of these are above 80 % of five.
  await busy(42_000);
  expect(await causes()).toEqual([]);
  await busy(45_000);
  const [cause] = await causes();
  expect(cause).toMatchObject({
    subject_id: account.accountId,
    data: { account: "Loud", share: 90, requests: 450 },
  });
  expect(
    describeNotice(
      { cause: "load.high", subjectId: cause.subject_id, data: cause.data, count: 1 },
      await messageWords("causes", null),
    ),
  ).toMatchObject({
    title: expect.stringContaining("Loud"),
    path: `/operator/accounts/${account.accountId}`,
  });
});
