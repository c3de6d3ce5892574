import { expect, it } from "vitest";
import type { ActivityList } from "#contract/activity.ts";
import { firstIdAt, newId } from "#contract/ids.ts";
import type { List } from "#contract/list.ts";
import type { NoticeList } from "#contract/notices.ts";
import { failuresUntilReported } from "#contract/webhook-constants.ts";
import { notices, webhookEndpoints } from "#gateway/platform/database/schema.ts";
import { writeLog } from "#gateway/platform/http/request-log.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

/*
 * What Home, the bell and the lists count is the same, on ten times the account with which they differed: 3,020 endpoints that
 * fail, 40 that were stopped, 2,000 chats and 18,000 requests that were refused.
 */

const [failing, stopped, chats, refused] = [3_020, 40, 2_000, 18_000];
const hourMs = 3_600_000;
const keyId = newId("key");

const gateway = shared(startTestGateway);
const account = shared(async () => {
  const account = await gateway.createAccount();
  await Promise.all([addEndpoints(account), addRequests(account)]);
  return account;
});

type Account = Awaited<ReturnType<typeof gateway.createAccount>>;

async function addEndpoints({ accountId, userId }: Account): Promise<void> {
  const { queries } = gateway.context.database;
  const row = { accountId, url: "https://hooks.example.com/in", events: [] };
  const endpoints = [
    ...Array.from({ length: failing }, () => ({ ...row, consecutiveFailures: failuresUntilReported })),
    ...Array.from({ length: stopped }, () => ({ ...row, status: "auto-disabled", consecutiveFailures: 900 })),
    // One failure less than is reported, one that works, and one that a person disabled.
    { ...row, consecutiveFailures: failuresUntilReported - 1 },
    row,
    { ...row, status: "disabled", consecutiveFailures: 900 },
  ].map((one) => ({ ...one, id: newId("endpoint") }));
  for (let from = 0; from < endpoints.length; from += 1_000)
    await queries.insert(webhookEndpoints).values(endpoints.slice(from, from + 1_000));
  const notice = { recipient: userId, userId, accountId, data: { url: row.url } };
  const unread = [
    {
      ...notice,
      id: firstIdAt("notice", Date.now() - hourMs),
      cause: "key.expiring",
      groupKey: "key",
    } as const,
    ...endpoints.slice(0, failing + stopped).map((endpoint) => ({
      ...{ ...notice, id: newId("notice"), subjectId: endpoint.id, groupKey: endpoint.id },
      cause: "status" in endpoint ? ("endpoint.disabled" as const) : ("endpoint.failing" as const),
    })),
  ];
  for (let from = 0; from < unread.length; from += 1_000)
    await queries.insert(notices).values(unread.slice(from, from + 1_000));
}

async function addRequests({ accountId }: Account): Promise<void> {
  const row = {
    ...{ account_id: accountId, at: new Date(Date.now() - 60_000), method: "POST" },
    ...{ route: "/v1/chat/completions", region: null, alias: null, metadata: null, key_id: keyId },
    ...{ user_id: null, duration_ms: 12, usage_unit: null, usage_quantity: null, charge: null },
    ...{ charge_reason: null, from_session: false, bytes_in: 1, bytes_out: 1, tokens_out: null },
    ...{
      asked_ms: null,
      first_ms: null,
      answered_ms: null,
      failed_tries: null,
      guards: null,
      upstream_key: null,
      failure: null,
      contents: null,
      client_request_id: null,
      conversation: null,
    },
    ...{ actor_id: keyId, of_operation: true },
  };
  const ok = { status: 200, code: null, model: "svc/chat-1", provider: "sandbox" };
  const bad = { status: 400, code: "invalid_json", model: null, provider: null, run_id: null };
  await writeLog(gateway.context.database, [
    ...Array.from({ length: chats }, () => ({
      ...row,
      ...ok,
      id: newId("request"),
      run_id: newId("generation"),
    })),
    ...Array.from({ length: refused }, () => ({ ...row, ...bad, id: newId("request") })),
  ]);
}

async function get<Body>(path: string): Promise<Body> {
  const { status, body } = await call(gateway, account.session, "GET", path);
  expect([path, status]).toEqual([path, 200]);
  return body as unknown as Body;
}

it("Home, the list and the bell count the same endpoints, and no cause hides behind the newest notices", async () => {
  const total = async (status: string) =>
    (await get<List<unknown>>(`/webhooks/endpoints?status=${status}&count=true&limit=1`)).total?.count;
  expect([await total("failing"), await total("auto-disabled")]).toEqual([failing, stopped]);
  const { groups = [] } = await get<NoticeList>("/notices?unread=true&grouped=true&limit=1");
  expect(groups.map(({ title, notices: count }) => [title, count])).toEqual([
    ["40 endpoints were disabled", stopped],
    ["3,020 endpoints fail", failing],
    ["Key  expires soon", 1],
  ]);
  const [, ofFailing] = groups;
  const read = { up_to: groups[0]?.newest_id, group: ofFailing?.key };
  const { body } = await call(gateway, account.session, "POST", "/notices/read_all", read);
  expect(body).toMatchObject({ read: failing });
});

it("the chart, the recent runs and the log count the same runs; refused requests are none, and are counted by key", async () => {
  const { total } = await get<ActivityList>("/activity");
  const runs = await get<List<{ run_id: string }>>("/requests?runs=true&count=true&limit=4");
  expect([total.runs, runs.total]).toEqual([chats, { count: chats, more: false }]);
  expect(runs.data.map(({ run_id }) => run_id.slice(0, 4))).toEqual(["gen_", "gen_", "gen_", "gen_"]);
  const { groups } = await get<ActivityList>("/activity?group_by=key");
  expect(groups).toMatchObject([
    {
      ...{ group: keyId, runs: chats, errors: 0, refused },
      refused_by_code: [{ code: "invalid_json", count: refused }],
    },
  ]);
  const list = await get<List<unknown>>(`/requests?code=invalid_json&key_id=${keyId}&count=true`);
  expect(list.total).toEqual({ count: 10_000, more: true });
});
