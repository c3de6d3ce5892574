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
