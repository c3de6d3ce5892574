import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

describe("an account's usage and requests", () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let stranger: TestAccount;
  const rowsOf = ({ body }: { body: Record<string, unknown> }) => body.data as Record<string, unknown>[];
  const ask = (path: string, bearer = account.key) => call(gateway, bearer, "GET", path);

  beforeAll(async () => {
    gateway = await startTestGateway();
    account = await gateway.createAccount();
    stranger = await gateway.createAccount();
    const body = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
    expect((await call(gateway, account.key, "POST", "/chat/completions", body)).status).toBe(200);
    expect((await call(gateway, account.key, "POST", "/chat/completions", {})).status).toBe(400);
    await ask("/account", account.session);
  });
  afterAll(() => gateway.close());

  it("sums usage by day, model and unit, for this account only", async () => {
    const used = rowsOf(await ask("/usage"));
    expect(used).toEqual([expect.objectContaining({ model: "svc/chat-1", unit: "token", requests: 1 })]);
    expect(used[0]?.quantity).toBeGreaterThan(0);
    expect((await ask("/usage?model=svc/chat-2")).body.data).toEqual([]);
    expect((await ask("/usage", stranger.key)).body.data).toEqual([]);
  });

  it("lists its calls, filtered by status and by key", async () => {
    const routes = async (query: string) =>
      rowsOf(await ask(`/requests?limit=100&${query}`)).map(({ route }) => route);
    // The log is written shortly after the answers.
    await vi.waitFor(async () => expect(await routes("actor=user")).toEqual(["/v1/account"]), 5000);
    expect(await routes("actor=key")).not.toContain("/v1/account");
    expect(await routes("status=200&model=svc/chat-1")).toEqual(["/v1/chat/completions"]);
    expect(await routes("status=400")).toEqual(["/v1/chat/completions"]);
    expect((await ask("/requests?actor=robot")).status).toBe(400);
    const theirs = await ask("/requests", stranger.key);
    expect(JSON.stringify(theirs.body)).not.toContain("chat/completions");
  });
});
