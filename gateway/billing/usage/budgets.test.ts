import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ApiKey, MonthlyBudget } from "#contract/accounts/keys.ts";
import { newId } from "#contract/ids.ts";
import { accounts, apiKeys, usageDaily } from "#gateway/platform/database/schema.ts";
import { settle } from "#gateway/runs/predictions/settle.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { type Budgets, createBudgets } from "./budgets.ts";
import { createMeter } from "./meter.ts";

const silentTeller = { write: async () => {}, announce() {} };

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
/** Longer than the time for which a credential is cached. */
const cacheMs = 5_001;

describe("the monthly budget of a key", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  // Only the clock is faked: timers, sockets and the database work normally.
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

  it("lets the operation that exceeds the budget complete, and refuses the next at once", async () => {
    const { id, secret } = await makeKey({ token: 1, character: 1_000 });
    const first = await run(secret);
    expect(first.status).toBe(200);
    const used = (first.body.usage as { total_tokens: number }).total_tokens;
    const refused = await run(secret);
    expect(refused.status).toBe(402);
    expect(refused.body.error).toMatchObject({
      type: "billing_error",
      code: "budget_exceeded",
      message: `This key has used ${used} of its 1 token of November 2026. It resets on 1 December (UTC).`,
    });
    // The same facts for programs, in every error format.
    const fields = {
      budget: { holder: { type: "key", id }, prepaid: false, amount: "1", unit: "token", period: "month" },
      left: String(1 - used),
      resets_at: "2026-12-01T00:00:00.000Z",
    };
    expect(refused.body.error).toMatchObject(fields);
    const message = await run(secret, { ...chat, max_tokens: 10 }, "/messages");
    expect([message.status, message.body]).toMatchObject([402, { type: "error", error: fields }]);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect((await run(secret, { ...chat, stream: true })).status).toBe(402);
    expect(await listed(id)).toMatchObject({
      monthly_budget: { token: 1, character: 1_000 },
      used_this_month: { token: used, character: 0 },
    });
  });

  it("reserves what a run may use, and counts what it used", async () => {
    const { id, secret } = await makeKey({ token: 2_000 });
    const refused = await run(secret, { ...chat, max_tokens: 2_100 });
    expect(refused.body.error).toMatchObject({
      code: "budget_exceeded",
      message:
        "This key has used 0 of its 2,000 tokens of November 2026. This run may use up to 2,100 tokens. " +
        "It resets on 1 December (UTC).",
    });
    for (const bound of ["max_tokens", "max_completion_tokens", "max_tokens"])
      expect((await run(secret, { ...chat, [bound]: 1_000 })).status).toBe(200);
    expect((await run(secret, { ...chat, max_tokens: 1_000, stream: true })).status).toBe(200);
    const { used_this_month: used } = (await listed(id)) as unknown as { used_this_month: { token: number } };
    expect(used.token).toBeLessThan(1_000);
  });

  it("admits exactly the budgeted characters, however many requests arrive at once", async () => {
    const { secret } = await makeKey({ character: 12 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => run(secret, speech, "/audio/speech")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(8);
  });

  it("releases the reservation of a run that failed", async () => {
    const { id, secret } = await makeKey({ character: 5 });
    const nobody = { ...gateway.context.providers.routes(), route: () => [], regions: () => null };
    const routes = vi.spyOn(gateway.context.providers, "routes").mockReturnValue(nobody);
    expect((await run(secret, speech, "/audio/speech")).status).toBe(503);
    routes.mockRestore();
    expect((await run(secret, speech, "/audio/speech")).status).toBe(200);
    expect((await run(secret, speech, "/audio/speech")).status).toBe(402);
    expect(await listed(id)).toMatchObject({ used_this_month: { character: 5 } });
  });

  it("measures a transcription's audio before the upstream is called", async () => {
    const model = gateway.context.catalog.model("svc/asr-1");
    const audio = model?.operations[0]?.example ?? {};
    const { secret } = await makeKey({ second: 0.5 });
    const route = vi.spyOn(gateway.context.providers.routes(), "route");
    const refused = await run(secret, audio, "/audio/transcriptions");
    expect(refused.body.error).toMatchObject({ code: "budget_exceeded" });
    expect(route).not.toHaveBeenCalled();
    route.mockRestore();
    const enough = await makeKey({ second: 60 });
    expect((await run(enough.secret, audio, "/audio/transcriptions")).status).toBe(200);
    const seconds = Number(/up to (\d+) second/.exec(JSON.stringify(refused.body))?.[1]);
    expect(await listed(enough.id)).toMatchObject({ used_this_month: { second: seconds } });
  });

  it("refuses only keys with a budget while the database is down", async () => {
    const { secret } = await makeKey({ token: 1_000_000 });
    await run(secret);
    const away = Object.assign(new Error("connect ECONNREFUSED"), { syscall: "connect" });
    const transaction = vi.spyOn(gateway.context.database, "transaction").mockRejectedValue(away);
    const refused = await run(secret);
    expect(refused.status).toBe(503);
    expect(refused.body.error).toMatchObject({ code: "service_unavailable" });
    expect((await run(account.key)).status).toBe(200);
    transaction.mockRestore();
    expect((await run(secret)).status).toBe(200);
  });

  it("leaves other units, other keys and signed-in people untouched", async () => {
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

  it("counts a prediction as soon as it has ended", async () => {
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

  it("starts from zero in the next month", async () => {
    const { id, secret } = await makeKey({ token: 1 });
    await run(secret);
    expect((await run(secret)).status).toBe(402);
    vi.setSystemTime(Date.parse("2026-12-01T00:00:00Z"));
    expect(await listed(id)).toMatchObject({ used_this_month: { token: 0 } });
    expect((await run(secret)).status).toBe(200);
    expect((await run(secret)).status).toBe(402);
  });

  it("counts usage from before the start and from other processes", async () => {
    const { id, secret } = await makeKey({ token: 100_000 });
    await usedElsewhere(id, "2026-10-31", 500_000);
    await usedElsewhere(id, "2026-11-01", 99_999);
    expect((await run(secret)).status).toBe(200);
    expect((await run(secret)).status).toBe(402);

    const shared = await makeKey({ token: 100_000 });
    expect((await run(shared.secret)).status).toBe(200);
    await usedElsewhere(shared.id, "2026-11-19", 100_000);
    expect((await run(shared.secret)).status).toBe(402);
  });

  it("accepts requests again when the budget is raised or removed", async () => {
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

  it("can only be changed by a key of the same account with the scope", async () => {
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

  it("replays a repeated Idempotency-Key even if the budget is spent, and charges nothing for a refusal", async () => {
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
    ["a negative quantity", { second: -1 }, "monthly_budget.second"],
    ["a text", { token: "1000" }, "monthly_budget.token"],
    ["an unknown unit", { dollar: 5 }, "monthly_budget.dollar"],
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

describe("the reservations of predictions", () => {
  // Without workers, so accepted predictions stay active until the test ends them.
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount());
  afterEach(() => void vi.useRealTimers());

  const video = (bearer: string, seconds?: number) =>
    call(gateway, bearer, "POST", "/videos", {
      model: "svc/vid-t2v",
      prompt: "a river",
      ...(seconds !== undefined && { duration: seconds }),
    });
  const makeKey = (budget: MonthlyBudget) => gateway.createKey(account.accountId, { monthly_budget: budget });
  const used = async (secret: string) => {
    const { key } = (await call(gateway, secret, "GET", "/account")).body as { key: { id: string } };
    const { body } = await call(gateway, account.key, "GET", "/keys?limit=100");
    return (body.data as ApiKey[]).find(({ id }) => id === key.id)?.used_this_month;
  };

  it("allow two of 40 simultaneous videos of 30 seconds with a budget of 60 seconds", async () => {
    const secret = await makeKey({ second: 60 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => video(secret, 30)));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(38);
    expect((await video(secret, 2)).body.error).toMatchObject({
      message: expect.stringContaining("has used 0 of its 60 seconds of"),
    });

    const [first, second] = accepted.map(({ body }) => String(body.id));
    await call(gateway, account.key, "POST", `/predictions/${first}/cancel`);
    expect((await video(secret, 20)).status).toBe(202);
    await settle(gateway.context, String(second), {
      status: "failed",
      code: "upstream_timeout",
      message: "",
    });
    const last = await video(secret, 30);
    expect(last.status).toBe(202);
    expect((await video(secret, 11)).status).toBe(402);

    // The run used less than it reserved.
    const usage = { unit: "second", quantity: 28 } as const;
    await settle(gateway.context, String(last.body.id), { status: "succeeded", outputs: [], usage });
    expect(await used(secret)).toEqual({ second: 28 });
    expect((await video(secret, 13)).status).toBe(402);
    expect((await video(secret, 12)).status).toBe(202);
  });

  it("use the entry's maximum when no duration is given", async () => {
    const secret = await makeKey({ second: 45 });
    expect((await video(secret)).status).toBe(202);
    expect((await video(secret)).status).toBe(402);
    expect((await video(secret, 15)).status).toBe(202);

    await gateway.attest(account, "adult");
    const smart = {
      model: "svc/adult-vid-1",
      prompt: "x",
      duration: -1,
      resolution: "480P",
      ratio: "16:9",
      audio: true,
    };
    const { operations } = gateway.context.catalog.model("svc/adult-vid-1") ?? {};
    const body = { ...operations?.[0]?.example, ...smart, resolution: operations?.[0]?.example.resolution };
    const other = await makeKey({ second: 59 });
    expect((await call(gateway, other, "POST", "/videos", body)).status).toBe(202);
    expect((await call(gateway, other, "POST", "/videos", body)).status).toBe(402);
  });

  it("count in the month of their admission", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-30T23:59:59Z"), toFake: ["Date"] });
    const secret = await makeKey({ second: 30 });
    const { body } = await video(secret, 30);
    vi.setSystemTime(Date.parse("2026-12-01T00:00:10Z"));
    expect((await video(secret, 30)).status).toBe(202);
    expect((await video(secret, 30)).status).toBe(402);
    const usage = { unit: "second", quantity: 30 } as const;
    await settle(gateway.context, String(body.id), { status: "succeeded", outputs: [], usage });
    expect(await used(secret)).toEqual({ second: 0 });
    vi.setSystemTime(Date.parse("2026-11-30T23:59:59Z"));
    expect(await used(secret)).toEqual({ second: 30 });
  });

  it("are removed when a request is refused later", async () => {
    const secret = await makeKey({ second: 30 });
    const broken = {
      model: "svc/vid-t2v",
      prompt: "x",
      duration: 30,
      media: [{ type: "video", url: "upload://upl_none" }],
    };
    expect((await call(gateway, secret, "POST", "/videos", broken)).status).toBe(400);
    expect((await video(secret, 30)).status).toBe(202);
  });
});

describe("reservations of several processes", () => {
  const keyId = "key_shared";
  const database = shared(createTestDatabase);
  beforeAll(async () => {
    await database.queries.insert(accounts).values({ id: "acct_1", name: "A" });
    await database.queries.insert(apiKeys).values({
      id: keyId,
      accountId: "acct_1",
      name: "shared",
      hint: "",
      secretHash: "x",
      scopes: [],
      monthlyBudget: { second: 60, token: 10_000 },
    });
  });
  afterEach(() => void vi.useRealTimers());

  const log = pino({ level: "silent" });
  const startProcess = () =>
    createBudgets({
      database,
      meter: createMeter(database, log, silentTeller),
      money: { end: () => false },
      log,
    });
  const actor = {
    kind: "key",
    id: keyId,
    accountId: "acct_shared",
    userId: null,
    monthlyBudget: { second: 60, token: 10_000 },
    memberBudget: null,
  } as const;
  const reserve = (budgets: Budgets) =>
    budgets.reserve(actor, newId("generation"), "second", { quantity: 30 });
  const expire = () =>
    database.pool.query("update budget_reservations set expires_at = now() - interval '1 second'");

  it("are exact in total, and those of a killed process are released", async () => {
    const processes = [startProcess(), startProcess(), startProcess()];
    const results = await Promise.allSettled(
      Array.from({ length: 39 }, (_, at) => reserve(processes[at % 3] ?? startProcess())),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await expect(reserve(startProcess())).rejects.toMatchObject({ code: "budget_exceeded" });
    await expire(); // Simulates that no process renews the reservations.
    const other = startProcess();
    await reserve(other);
    await reserve(other);
    await expect(reserve(other)).rejects.toMatchObject({ code: "budget_exceeded" });
    await expire();
  });

  it("of an unknown size use the mean of the key's runs this month, up to the remaining budget", async () => {
    const budgets = startProcess();
    const reserveTokens = () => budgets.reserve(actor, newId("generation"), "token", { runs: 1 });
    expect(await reserveTokens()).toMatchObject({ quantity: 1_000 });
    const day = new Date().toISOString().slice(0, 10);
    const history = { accountId: "acct_1", day, model: "svc/chat-1", unit: "token", keyId };
    await database.queries.insert(usageDaily).values({ ...history, quantity: 5_000, requests: 2 });
    expect(await reserveTokens()).toMatchObject({ quantity: 2_500 });
    expect(await reserveTokens()).toMatchObject({ quantity: 1_500 });
    await expect(reserveTokens()).rejects.toMatchObject({ code: "budget_exceeded" });
  });

  it("are renewed while their run lasts", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await expire();
    const budgets = startProcess();
    await reserve(budgets);
    await expire();
    vi.advanceTimersByTime(20_000);
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(
        "select count(*)::int from budget_reservations where unit = 'second' and expires_at > now() + interval '50 seconds'",
      );
      expect(rows).toEqual([{ count: 1 }]);
    });
    budgets.close();
  });
});
