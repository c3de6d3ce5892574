import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { MonthlyBudget } from "#contract/account.ts";
import type { Database } from "#gateway/database/database.ts";
import { usageDaily } from "#gateway/database/schema.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";
import { createBudgets } from "./budgets.ts";
import type { Meter } from "./meter.ts";
import { meterOperation } from "./meter-operation.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
const speech = { model: "svc/tts-b-1", input: "hello" };
const image = {
  model: "svc/img-gen-b",
  prompt: "a lighthouse",
  size: "1024x1024",
  quality: "low",
  output_format: "jpeg",
};
const nowMs = Date.parse("2026-11-20T10:00:00Z");
/** Longer than a credential or a reading is kept. */
const cacheMs = 5_001;

describe("the monthly budget of a key", () => {
  let gateway: TestGateway;
  let account: TestAccount;
  beforeAll(async () => {
    gateway = await startTestGateway();
    account = await gateway.createAccount();
  });
  afterAll(() => gateway.close());
  // The clock alone: timers, sockets and the database go on.
  beforeEach(() => void vi.useFakeTimers({ now: nowMs, toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
  const run = (bearer: string, body: object = chat, path = "/chat/completions", headers = {}) =>
    call(gateway, bearer, "POST", path, body, headers);
  const makeKey = async (budget: MonthlyBudget | null) => {
    const { body } = await call(gateway, account.key, "POST", "/keys", { name: "b", monthly_budget: budget });
    return { id: String(body.id), secret: String(body.secret) };
  };
  const listed = async (id: string) => {
    const { body } = await call(gateway, account.key, "GET", "/keys?limit=100");
    return (body.data as { id: string }[]).find((key) => key.id === id);
  };
  const usedElsewhere = (keyId: string, day: string, quantity: number, unit = "token") =>
    gateway.context.database.queries
      .insert(usageDaily)
      .values({ accountId: account.accountId, day, model: "svc/chat-2", unit, keyId, quantity });

  it("lets the operation that crosses the line complete, and refuses the next at once", async () => {
    const { id, secret } = await makeKey({ token: 1, character: 1_000 });
    const first = await run(secret);
    expect(first.status).toBe(200);
    const used = (first.body.usage as { total_tokens: number }).total_tokens;
    const refused = await run(secret);
    expect(refused.status).toBe(402);
    expect(refused.body.error).toMatchObject({
      type: "billing_error",
      code: "budget_exceeded",
      message: `This key has used ${used} of its 1 token of November 2026; it counts anew on 1 December (UTC).`,
    });
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect((await run(secret, { ...chat, stream: true })).status).toBe(402);
    expect(await listed(id)).toMatchObject({
      monthly_budget: { token: 1, character: 1_000 },
      used_this_month: { token: used, character: 0 },
    });
  });

  it("leaves other units, other keys and signed-in people alone", async () => {
    const { secret } = await makeKey({ token: 1 });
    const other = await makeKey({ token: 1 });
    await run(secret);
    expect((await run(secret)).status).toBe(402);
    expect((await run(secret, speech, "/audio/speech")).status).toBe(200);
    expect((await run(other.secret)).status).toBe(200);
    expect((await run(account.session)).status).toBe(200);
  });

  it("counts a streamed chat", async () => {
    const { secret } = await makeKey({ token: 1 });
    expect((await run(secret, { ...chat, stream: true })).status).toBe(200);
    expect((await run(secret)).status).toBe(402);
  });

  it("counts a prediction as soon as it has settled", async () => {
    vi.useRealTimers();
    const { id, secret } = await makeKey({ generation: 1 });
    const done = await run(secret, image, "/images/generations", { prefer: "wait=30" });
    expect(done.body.status).toBe("succeeded");
    expect((await run(secret, image, "/images/generations")).body.error).toMatchObject({
      code: "budget_exceeded",
    });
    expect(await listed(id)).toMatchObject({
      used_this_month: { generation: 1 },
    });
  });

  it("counts anew in the next month", async () => {
    const { id, secret } = await makeKey({ token: 1 });
    await run(secret);
    expect((await run(secret)).status).toBe(402);
    vi.setSystemTime(Date.parse("2026-12-01T00:00:00Z"));
    expect(await listed(id)).toMatchObject({ used_this_month: { token: 0 } });
    expect((await run(secret)).status).toBe(200);
    expect((await run(secret)).status).toBe(402);
  });

  it("knows what was used before it was started, and learns what other processes metered", async () => {
    const { id, secret } = await makeKey({ token: 100_000 });
    await usedElsewhere(id, "2026-10-31", 500_000);
    await usedElsewhere(id, "2026-11-01", 99_999);
    expect((await run(secret)).status).toBe(200);
    expect((await run(secret)).status).toBe(402);

    const shared = await makeKey({ token: 100_000 });
    expect((await run(shared.secret)).status).toBe(200);
    await usedElsewhere(shared.id, "2026-11-19", 100_000);
    expect((await run(shared.secret)).status).toBe(200);
    pass(cacheMs);
    await vi.waitFor(async () => expect((await run(shared.secret)).status).toBe(402));
  });

  it("counts once what it metered and then read", async () => {
    const { budgets } = gateway.context;
    const key = { id: "key_read_back", monthlyBudget: { token: 10, second: 1 } };
    await budgets.check(key, "token");
    const usage = { unit: "token", quantity: 9 } as const;
    meterOperation(gateway.context, { ...account, keyId: key.id, model: "svc/chat-1", usage });
    await usedElsewhere(key.id, "2026-11-20", 1, "second");
    pass(cacheMs);
    await budgets.check(key, "token");
    await vi.waitFor(() => expect(budgets.check(key, "second")).rejects.toThrow("1 of its 1 second of"));
    await budgets.check(key, "token");
  });

  it("goes on when the budget is raised or taken away", async () => {
    const { id, secret } = await makeKey({ token: 1 });
    await run(secret);
    const change = (budget: unknown, bearer = account.key) =>
      call(gateway, bearer, "PATCH", `/keys/${id}`, { monthly_budget: budget });
    expect((await run(secret)).status).toBe(402);
    expect((await change({ token: 1_000 })).body).toMatchObject({
      monthly_budget: { token: 1_000 },
      used_this_month: { token: expect.toSatisfy((used: number) => used > 0) },
    });
    pass(cacheMs);
    expect((await run(secret)).status).toBe(200);
    await change({ token: 1 });
    pass(cacheMs);
    expect((await run(secret)).status).toBe(402);
    expect((await change(null)).body).toMatchObject({ monthly_budget: null, used_this_month: {} });
    pass(cacheMs);
    expect((await run(secret)).status).toBe(200);
    const audit = await call(gateway, account.key, "GET", "/audit_logs?action=key.updated");
    expect((audit.body.data as unknown[])[0]).toMatchObject({
      target_id: id,
      detail: { monthly_budget: null },
    });
  });

  it("lets only a key of the same account, with the scope, change it", async () => {
    const { id, secret } = await makeKey({ token: 1 });
    const narrow = await gateway.createKey(account.accountId, { scopes: ["inference"] });
    const stranger = await gateway.createAccount();
    const change = (bearer: string) =>
      call(gateway, bearer, "PATCH", `/keys/${id}`, { monthly_budget: null });
    expect((await change(narrow)).body.error).toMatchObject({ code: "insufficient_scope" });
    expect((await change(stranger.key)).body.error).toMatchObject({ code: "key_not_found" });
    await run(secret);
    await call(gateway, account.key, "DELETE", `/keys/${id}`);
    expect((await change(account.key)).body.error).toMatchObject({ code: "key_not_found" });
  });

  it("answers a repeated Idempotency-Key though the budget is spent, and spends none on a refusal", async () => {
    const { id, secret } = await makeKey({ token: 1 });
    const once = (name: string) => run(secret, chat, "/chat/completions", { "idempotency-key": name });
    const first = await once("crossing");
    expect((await once("crossing")).body).toEqual(first.body);
    expect((await once("refused")).status).toBe(402);
    await call(gateway, account.key, "PATCH", `/keys/${id}`, { monthly_budget: null });
    pass(cacheMs);
    const later = await once("refused");
    expect(later.status).toBe(200);
    expect(later.headers.get("idempotent-replayed")).toBeNull();
  });

  it("stays with a key that is rotated", async () => {
    const { id, secret } = await makeKey({ token: 1 });
    await run(secret);
    const { body } = await call(gateway, account.key, "POST", `/keys/${id}/rotate`, {});
    expect(body).toMatchObject({ monthly_budget: { token: 1 } });
    expect((await run(String(body.secret))).status).toBe(402);
  });

  it.each([
    ["nothing", {}, "monthly_budget"],
    ["nought", { token: 0 }, "monthly_budget.token"],
    ["less than nothing", { second: -1 }, "monthly_budget.second"],
    ["a text", { token: "1000" }, "monthly_budget.token"],
    ["a unit that nobody meters", { dollar: 5 }, "monthly_budget.dollar"],
    ["a bare number", 5, "monthly_budget"],
  ])("refuses a budget of %s and names the field", async (_name, budget, param) => {
    const made = await call(gateway, account.key, "POST", "/keys", { name: "bad", monthly_budget: budget });
    expect(made.status).toBe(400);
    expect(made.body.error).toMatchObject({ code: "invalid_parameter", param });
    const { id } = await makeKey(null);
    const changed = await call(gateway, account.key, "PATCH", `/keys/${id}`, { monthly_budget: budget });
    expect(changed.body.error).toMatchObject({ code: "invalid_parameter", param });
  });
});

describe("budgets while the database is away", () => {
  const query = vi.fn(() => {
    throw new Error("away");
  });
  const database = {
    get queries() {
      return query();
    },
  } as unknown as Database;
  const meter = { flush: async () => {} } as Meter;
  const budgets = createBudgets({ database, meter, log: pino({ level: "silent" }) });

  it("counts what this process metered, and refuses nothing else", async () => {
    const key = { id: "key_1", monthlyBudget: { token: 10 } };
    await budgets.check(key, "token");
    budgets.add({ keyId: "key_1", usage: { unit: "token", quantity: 9 } });
    await budgets.check(key, "token");
    budgets.add({ keyId: "key_1", usage: { unit: "token", quantity: 1 } });
    await expect(budgets.check(key, "token")).rejects.toMatchObject({ code: "budget_exceeded" });
    expect(query).toHaveBeenCalledOnce();
  });

  it("remembers a bounded number of keys", async () => {
    const keys = Array.from({ length: 10_001 }, (_, at) => ({
      id: `key_many_${at}`,
      monthlyBudget: { token: 1 },
    }));
    const [first] = keys;
    if (!first) throw new Error("there is no key");
    for (const key of keys) await budgets.check(key, "token");
    query.mockClear();
    for (const key of keys.slice(1)) await budgets.check(key, "token");
    expect(query).not.toHaveBeenCalled();
    await budgets.check(first, "token");
    expect(query).toHaveBeenCalledOnce();
  });

  it("is not asked for a key that has none of the unit", async () => {
    query.mockClear();
    await budgets.check({ id: "key_2", monthlyBudget: null }, "token");
    await budgets.check({ id: "key_3", monthlyBudget: { second: 1 } }, "token");
    expect(query).not.toHaveBeenCalled();
  });
});
