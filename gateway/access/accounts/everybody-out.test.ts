import { expect, it } from "vitest";
import { connect } from "#gateway/testing/agent.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
/** The first user becomes an operator. */
const operator = shared(() => gateway.createAccount());

const ask = (bearer: string, method: string, to: string, body?: object) =>
  call(gateway, bearer, method, to, body);
const statusOf = async (bearer: string) => (await ask(bearer, "GET", "/account/profile")).status;
const keyStatus = async (bearer: string) => (await ask(bearer, "GET", "/predictions")).status;
const end = (body: object) =>
  ask(operator.session, "POST", "/operator/access/end", { reason: "Leak", ...body });
const open = async (accountId: string) =>
  (await ask(operator.session, "GET", `/operator/access?account_id=${accountId}`)).body;
const lastAudit = async (session: string) =>
  ((await ask(session, "GET", "/audit_logs?limit=1")).body.data as object[])[0];

it("ends all sessions of an account, also those opened with its keys, and leaves its keys working", async () => {
  const account = await gateway.createAccount();
  const member = await gateway.addMember(account, "member");
  const other = await gateway.createAccount();
  const opened = await ask(account.key, "POST", "/account/sessions/key");
  expect(await open(account.accountId)).toMatchObject({ sessions: 3, personal_keys: 0, service_keys: 1 });

  const { body } = await end({ what: "sessions", account_id: account.accountId });
  expect(body).toMatchObject({ sessions: 3, personal_keys: 0, connections: 0, keys_end_at: null });
  for (const session of [account.session, member.session, String(opened.body.token)])
    await expect.poll(() => keyStatus(session)).toBe(401);
  expect(await keyStatus(account.key)).toBe(200);
  expect(await statusOf(other.session)).toBe(200);
  expect(await open(account.accountId)).toMatchObject({ sessions: 0 });
  const newcomer = await gateway.addMember(account, "owner");
  const { data } = (await ask(newcomer.session, "GET", "/audit_logs?action=account.sessions_ended")).body;
  expect(data).toMatchObject([{ actor: { id: operator.userId }, detail: { ended: 3, reason: "Leak" } }]);
});

it("ends the sessions of everybody except the operator's own", async () => {
  const accounts = [await gateway.createAccount(), await gateway.createAccount()];
  const { body } = await end({ what: "sessions" });
  expect(body.sessions).toBeGreaterThanOrEqual(2);
  for (const { session } of accounts) await expect.poll(() => statusOf(session)).toBe(401);
  expect(await statusOf(operator.session)).toBe(200);
});

it("ends personal keys after a grace time and connections at once, and leaves service keys and sessions", async () => {
  const account = await gateway.createAccount();
  const { session, accountId } = account;
  const made = await ask(session, "POST", "/keys", { name: "mine", kind: "personal" });
  const secret = String(made.body.secret);
  const agent = await connect(gateway, session);
  expect(await open(accountId)).toMatchObject({
    sessions: 1,
    personal_keys: 1,
    connections: 1,
    service_keys: 1,
  });

  const before = Date.now();
  const { body } = await end({ what: "personal_keys", account_id: accountId, grace_seconds: 3_600 });
  expect(body).toMatchObject({ sessions: 0, personal_keys: 1, connections: 1 });
  const { data } = (await ask(session, "GET", "/keys")).body;
  const key = (data as { id: string; expires_at: string }[]).find(({ id }) => id === made.body.id);
  expect(Date.parse(key?.expires_at ?? "")).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(await keyStatus(secret)).toBe(200);
  const tools = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const mcp = { url: gateway.url.replace(/\/v1$/, "") };
  const accept = { accept: "application/json, text/event-stream" };
  const listed = async () => (await call(mcp, agent.accessToken, "POST", "/mcp", tools, accept)).status;
  await expect.poll(listed).toBe(401);

  // A shorter grace time applies to keys that end later.
  expect((await end({ what: "personal_keys", account_id: accountId })).body).toMatchObject({
    personal_keys: 1,
  });
  await expect.poll(() => keyStatus(secret)).toBe(401);
  expect(await keyStatus(account.key)).toBe(200);
  expect(await lastAudit(session)).toMatchObject({
    action: "account.personal_keys_ended",
    detail: { ended: 1, reason: "Leak", ends_at: expect.any(String) },
  });
});

it.each([
  ["no reason", { what: "sessions", reason: " " }, 400, "invalid_parameter"],
  ["another kind", { what: "everything" }, 400, "invalid_parameter"],
  ["sessions with a grace time", { what: "sessions", grace_seconds: 1 }, 400, "invalid_parameter"],
  ["more than 30 days", { what: "personal_keys", grace_seconds: 2_592_001 }, 400, "invalid_parameter"],
  ["an unknown account", { what: "sessions", account_id: "acct_x" }, 404, "account_not_found"],
])("refuses %s", async (_, body, status, code) => {
  expect(await end(body)).toMatchObject(refusal(status, code));
});
