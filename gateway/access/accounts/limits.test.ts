import { describe, expect, it } from "vitest";
import type { AccountLimitsUpdate } from "#contract/accounts/limits.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { refusal, sender, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const operator = shared(() => gateway.createAccount());
const send = sender(() => gateway);

const limit = (account: TestAccount, limits: Partial<AccountLimitsUpdate>, reason = "trial") =>
  send(operator.session, "PATCH", `/operator/accounts/${account.accountId}/limits`, { ...limits, reason });
const chat = (bearer: string, model = "svc/chat-1", more = {}) =>
  send(bearer, "POST", "/chat/completions", {
    model,
    messages: [{ role: "user", content: "Hello" }],
    ...more,
  });

describe("the limits of one account", () => {
  it("apply within a second to callers that are known, all keys and members together, and to no other account", async () => {
    const account = await gateway.createAccount();
    const callers = [account.key, await gateway.createKey(account.accountId), account.session];
    const statuses = async () =>
      (await Promise.all(callers.map((bearer) => chat(bearer)))).map(({ status }) => status);
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await limit(account, { models: ["svc/chat-2"] })).status).toBe(200);
    await expect.poll(statuses).toEqual([403, 403, 403]);
    expect(await chat(account.session)).toMatchObject(refusal(403, "model_not_allowed"));
    expect((await chat(account.session, "svc/chat-2")).status).toBe(200);
    expect((await chat(operator.key)).status).toBe(200);
    await limit(account, { models: null, requests_per_minute: 2 });
    await expect.poll(statuses).toContain(429);
    const { body } = await chat(account.session);
    expect((body.error as { message: string }).message).toContain(
      "2 operation requests a minute in this account",
    );
  });

  it("leave the models of an alias that the account may use, and its keys free to have all of those", async () => {
    const account = await gateway.createAccount();
    const alias = { name: "fast", models: ["svc/chat-1", "svc/chat-2"] };
    expect((await send(account.session, "POST", "/aliases", alias)).status).toBe(201);
    await limit(account, { models: ["svc/chat-2"], regions: ["us-virginia"] });
    expect((await chat(account.key, "fast")).body.model).toBe("svc/chat-2");
    for (const bearer of [account.key, account.session])
      expect((await send(bearer, "POST", "/keys", { name: "another" })).status).toBe(201);
    const elsewhere = await chat(account.key, "svc/chat-2", { region: "sg-singapore" });
    expect(elsewhere).toMatchObject(refusal(403, "region_not_allowed"));
    expect((elsewhere.body.error as { message: string }).message).toContain("This account");
  });

  it("are the lower ones of operator and account for tokens, and shorten the days of contents", async () => {
    const account = await gateway.createAccount();
    await send(account.session, "PATCH", "/account", { contents: { keep: "all", days: 20 } });
    await send(account.session, "PATCH", "/account/budgets", { tokens_per_minute: 100 });
    await limit(account, { tokens_per_minute: 5, contents_days: 10 });
    expect(await chat(account.key)).toMatchObject(refusal(400, "request_over_token_limit"));
    await limit(account, { tokens_per_minute: 1_000_000 });
    const most = async () =>
      (await chat(account.key, "svc/chat-1", { max_tokens: 20 })).headers.get("x-ratelimit-limit-tokens");
    await expect.poll(most).toBe("100");
    const seen = async () => (await send(account.session, "GET", "/account")).body;
    await expect.poll(seen).toMatchObject({ contents: { days: 10 }, contents_max_days: 10 });
    const longer = { contents: { days: 11 } };
    expect(await send(account.session, "PATCH", "/account", longer)).toMatchObject(
      refusal(400, "invalid_parameter"),
    );
  });

  it("are seen by the account and by operators, who see none of its contents", async () => {
    const account = await gateway.createAccount();
    await limit(account, { max_concurrency: 3 }, " slow start ");
    await gateway.createKey(account.accountId, { name: "expired" });
    await gateway.context.database.pool.query(
      "update api_keys set expires_at = now() where account_id = $1 and name = 'expired'",
      [account.accountId],
    );
    const own = { max_concurrency: 3, storage_bytes: 20_000_000_000, models: null, stored_bytes: 0 };
    expect((await send(account.key, "GET", "/account/limits")).body).toMatchObject(own);
    const path = `/operator/accounts/${account.accountId}`;
    const { body } = await send(operator.session, "GET", path);
    expect(body).toMatchObject({ state: "active", members: 1, keys: 1, stored_bytes: 0 });
    expect(body.limits).toMatchObject({ max_concurrency: 3, storage_bytes: null });
    expect(body.usual_limits).toMatchObject({ max_concurrency: null, storage_bytes: 20_000_000_000 });
    const { body: audit } = await send(account.session, "GET", "/audit_logs?action=account.limits_updated");
    expect(audit.data).toMatchObject([
      {
        actor: { type: "user", id: operator.userId },
        detail: { reason: "slow start", before: {}, after: { max_concurrency: 3 } },
      },
    ]);
    expect((await send(operator.session, "GET", "/operator/accounts/acct_none")).status).toBe(404);
  });

  it.each([
    [{ reason: "x" }, null],
    [{ max_concurrency: 1, storage_bytes: 1 }, "reason"],
    [{ max_concurrency: 0, reason: "x" }, "max_concurrency"],
    [{ max_concurrency: 1, reason: " " }, "reason"],
    [{ models: ["acme/none"], reason: "x" }, "models"],
    [{ contents_days: 31, reason: "x" }, "contents_days"],
    [{ colour: "blue", reason: "x" }, "colour"],
  ])("refuse %j", async (body, param) => {
    const path = `/operator/accounts/${operator.accountId}/limits`;
    const answer = await send(operator.session, "PATCH", path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ param });
  });
});

describe("the limits of one key", () => {
  const limitsOf = (id: string) => `/operator/keys/${id}/limits`;
  const keyOf = async (account: TestAccount) => {
    const { body } = await send(account.session, "GET", "/keys");
    return (body.data as Record<string, unknown>[])[0] ?? {};
  };

  it("are the lower ones of operator and owner, and members see the operator's words", async () => {
    const account = await gateway.createAccount();
    const id = String((await keyOf(account)).id);
    const rate = async () => (await chat(account.key)).headers.get("x-ratelimit-limit-requests");
    expect(Number(await rate())).toBeGreaterThan(50);
    const body = { requests_per_minute: 50, max_concurrency: 2, reason: "a loop" };
    const limited = await send(operator.session, "PUT", limitsOf(id), body);
    expect(limited.body).toMatchObject({ account_id: account.accountId, operator_limits: body });
    await expect.poll(rate).toBe("50");
    expect(await keyOf(account)).toMatchObject({ requests_per_minute: null, operator_limits: body });
    const own = (count: number | null) =>
      send(account.session, "PATCH", `/keys/${id}`, { requests_per_minute: count });
    expect((await own(1_000)).status).toBe(200);
    expect(await rate()).toBe("50");
    await own(40);
    expect(await rate()).toBe("40");
    const audit = await send(account.session, "GET", "/audit_logs?action=key.limits_updated");
    expect(audit.body.data).toMatchObject([{ actor: { id: operator.userId }, detail: body }]);
    expect((await send(operator.session, "PUT", limitsOf(id), { reason: "mended" })).status).toBe(200);
    expect((await keyOf(account)).operator_limits).toBeNull();
    expect((await send(operator.session, "PUT", limitsOf("key_none"), body)).status).toBe(404);
  });

  it("are not got around by a key that the key makes, rotates or changes", async () => {
    const account = await gateway.createAccount();
    const id = String((await keyOf(account)).id);
    const made = { name: "around it", scopes: ["inference"] };
    const other = await send(account.key, "POST", "/keys", made);
    expect(other.status).toBe(201);
    const path = `/keys/${other.body.id}`;
    const body = { max_concurrency: 2, reason: "a loop" };
    expect((await send(operator.session, "PUT", limitsOf(id), body)).status).toBe(200);
    const refused = refusal(403, "insufficient_scope");
    expect(await send(account.key, "POST", "/keys", made)).toMatchObject(refused);
    expect(await send(account.key, "POST", `${path}/rotate`, {})).toMatchObject(refused);
    expect(await send(account.key, "PATCH", path, { requests_per_minute: 10 })).toMatchObject(refused);
  });

  it("are not raised by the key itself, nor beyond what its creator has", async () => {
    const account = await gateway.createAccount();
    const make = (bearer: string, requests_per_minute: number) =>
      send(bearer, "POST", "/keys", { name: "limited", scopes: ["inference", "keys"], requests_per_minute });
    const first = (await make(account.session, 30)).body as { id: string; secret: string };
    const second = (await make(first.secret, 10)).body as { id: string; secret: string };
    const set = async (bearer: string, id: string, requests_per_minute: number | null) =>
      (await send(bearer, "PATCH", `/keys/${id}`, { requests_per_minute })).status;
    expect(await set(first.secret, first.id, 31)).toBe(403);
    expect(await set(first.secret, first.id, null)).toBe(403);
    expect(await set(first.secret, first.id, 20)).toBe(200);
    expect(await set(first.secret, second.id, 21)).toBe(403);
    expect(await set(first.secret, second.id, 20)).toBe(200);
    expect(await set(account.session, second.id, 25)).toBe(200);
  });
});

describe("a plan", () => {
  const plans = "/operator/plans";
  let made = 0;
  async function planOf(limits: object): Promise<string> {
    made += 1;
    const answer = await send(operator.session, "POST", plans, { name: `Plan ${made}`, ...limits });
    expect(answer.status).toBe(201);
    return answer.body.id as string;
  }
  const change = (id: string, body: object) => send(operator.session, "PATCH", `${plans}/${id}`, body);

  it("limits its accounts within a second, below what an account has of its own", async () => {
    const account = await gateway.createAccount();
    await send(account.session, "PATCH", "/account", { contents: { keep: "all", days: 20 } });
    const status = async (model?: string) => (await chat(account.key, model)).status;
    expect(await status()).toBe(200);
    const plan = await planOf({ models: ["svc/chat-2"], max_concurrency: 3, contents_days: 25 });
    expect((await limit(account, { plan, max_concurrency: 4 })).body.plan).toMatchObject({ id: plan });
    await expect.poll(() => status()).toBe(403);
    expect(await status("svc/chat-2")).toBe(200);
    const own = async () => (await send(account.key, "GET", "/account/limits")).body;
    expect(await own()).toMatchObject({ plan: `Plan ${made}`, models: ["svc/chat-2"], max_concurrency: 4 });
    const changed = { models: null, contents_days: 10, storage_bytes: 1, reason: "new terms" };
    expect((await change(plan, changed)).body).toMatchObject({ accounts: 1, limits: { models: null } });
    await expect.poll(() => status()).toBe(200);
    expect(await own()).toMatchObject({ models: null, max_concurrency: 4, storage_bytes: 1 });
    expect((await send(account.session, "GET", "/account")).body).toMatchObject({ contents: { days: 10 } });
    const upload = { content_type: "image/png", size_bytes: 2 };
    expect(await send(account.key, "POST", "/uploads", upload)).toMatchObject(
      refusal(413, "storage_limit_exceeded"),
    );
    const { body } = await send(account.session, "GET", "/audit_logs?action=account.limits_updated");
    expect(body.data).toMatchObject([
      {
        actor: { id: operator.userId },
        detail: { reason: "new terms", plan: `Plan ${made}`, after: { storage_bytes: 1 } },
      },
      { detail: { before: { plan: null }, after: { plan: `Plan ${made}`, max_concurrency: 4 } } },
    ]);
    const listed = await send(operator.session, "GET", `/operator/accounts?plan_id=${plan}`);
    expect(listed.body.data).toMatchObject([
      { id: account.accountId, members: 1, plan: { id: plan, name: `Plan ${made}` } },
    ]);
  });

  it("is deleted once no account has it", async () => {
    const account = await gateway.createAccount();
    const plan = await planOf({ requests_per_minute: 9 });
    await limit(account, { plan });
    const refused = await send(operator.session, "DELETE", `${plans}/${plan}`);
    expect(refused).toMatchObject(refusal(409, "plan_in_use"));
    expect((refused.body.error as { message: string }).message).toContain(account.accountId);
    await limit(account, { plan: null });
    expect((await send(operator.session, "DELETE", `${plans}/${plan}`)).status).toBe(200);
    expect((await change(plan, { name: "Gone", reason: "x" })).status).toBe(404);
    expect(await limit(account, { plan })).toMatchObject(refusal(404, "plan_not_found"));
  });

  it.each([
    [{ name: " " }, 400, "name"],
    [{ name: "pLaN 1 " }, 409, "name"],
    [{ name: "New", models: ["acme/none"] }, 400, "models"],
    [{ name: "New", contents_days: 31 }, 400, "contents_days"],
    [{ name: "New", colour: "blue" }, 400, "colour"],
  ])("is refused as %j", async (body, status, param) => {
    if (made === 0) await planOf({});
    const answer = await send(operator.session, "POST", plans, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ param });
  });
});
