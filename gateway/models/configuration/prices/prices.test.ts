import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { priceLimits } from "#contract/money/constants.ts";
import type { Price } from "#contract/operator/prices.ts";
import {
  type MappedGateway,
  providerAt,
  startMappedGateway,
} from "#gateway/models/providers/testing/mapped-gateway.ts";
import {
  sendJson,
  startUpstream,
  type UpstreamServer,
} from "#gateway/models/providers/testing/upstream-server.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, type TestAccount } from "#gateway/testing/gateway.ts";
import { PricesFileReader } from "./prices-file.ts";

const usage = {
  prompt_tokens: 1_000,
  completion_tokens: 100,
  total_tokens: 1_100,
  prompt_tokens_details: { cached_tokens: 600 },
  completion_tokens_details: { reasoning_tokens: 40 },
};
let upstream: UpstreamServer;
let mapped: MappedGateway;
let account: TestAccount;
let pricesFile: string;
const writeFile = (prices: object[]) => writeFileSync(pricesFile, JSON.stringify({ prices }));
const model = { model: "svc/chat-1", api_type: "chat-completions" };
/** The log is written shortly after the answer. */
const soon = { interval: 50 };
const million = (kind: string, rate: string) => ({ kind, per: 1_000_000, rate });

beforeAll(async () => {
  pricesFile = path.join(newFolder("prices"), "prices.json");
  writeFile([]);
  upstream = await startUpstream((seen, response) => {
    const { stream } = seen.json();
    const choice = { index: 0, finish_reason: "stop" };
    if (!stream)
      return sendJson(response, {
        choices: [{ ...choice, message: { role: "assistant", content: "Hi" } }],
        usage,
      });
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ choices: [{ ...choice, delta: { content: "Hi" } }] })}\n\n`);
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
  });
  mapped = await startMappedGateway(
    {
      providers: {
        acme: providerAt(upstream),
      },
      routes: [{ models: ["svc/chat-1"], provider: "acme", upstream_model: "m" }],
    },
    { pricesFile },
  );
  account = mapped.account;
});
afterAll(async () => {
  await mapped.close();
  await upstream.close();
});

const operator = (method: string, where: string, body?: unknown) =>
  call(mapped.gateway, account.session, method, `/operator${where}`, body);
const set = async (price: object) => {
  const { status, body } = await operator("POST", "/prices", { ...model, currency: "USD", ...price });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const order = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
const chat = (headers?: Record<string, string>) => mapped.post("/chat/completions", order, headers);
const read = (where: string) => call(mapped.gateway, account.session, "GET", where);
const costOf = async (headers: Headers) =>
  (await read(`/runs/${headers.get("x-svc-generation-id")}/cost`)).body;

it("a run without a price has no cost and no cost header", async () => {
  const { headers } = await chat();
  expect(headers.has("x-svc-cost")).toBe(false);
  expect(await costOf(headers)).toMatchObject({ amount: null, currency: "USD", reason: "not_priced" });
});

it("a price applies from then on: header, calculation, log and stream report the same cost", async () => {
  const before = await chat();
  await set({
    components: [
      million("input_token", "2.50"),
      million("cached_input_token", "0.25"),
      million("output_token", "10"),
    ],
  });
  // 400 × 2.50/M + 600 × 0.25/M + 60 × 10/M + 40 × 10/M
  const { headers } = await chat();
  expect(headers.get("x-svc-cost")).toBe("0.002150 USD");
  const cost = await costOf(headers);
  expect(cost).toMatchObject({ amount: "0.00215", reason: null, model: "svc/chat-1" });
  expect(cost.lines).toMatchObject([
    { kind: "cached_input_token", quantity: 600, per: 1_000_000, rate: "0.25", amount: "0.00015" },
    { kind: "input_token", quantity: 400, rate: "2.5", amount: "0.001" },
    { kind: "output_token", quantity: 60, rate: "10", amount: "0.0006" },
    { kind: "reasoning_token", quantity: 40, rate: "10", amount: "0.0004" },
  ]);
  await vi.waitFor(async () => {
    const [row] = (await read("/requests?route=/chat/completions&limit=1")).body.data as object[];
    expect(row).toMatchObject({
      run_id: headers.get("x-svc-generation-id"),
      cost: { amount: "0.00215", currency: "USD", reason: null },
    });
  }, soon);
  expect(await costOf(before.headers)).toMatchObject({ reason: "not_priced" });

  const streamed = await mapped.post("/chat/completions", {
    ...order,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(String(streamed.body.text)).toContain(
    '"svc_cost":{"amount":"0.00215","currency":"USD","reason":null}',
  );
  const response = await mapped.post("/responses", { model: "svc/chat-1", input: "Hello" });
  expect(response.body.svc_cost).toEqual({ amount: "0.00215", currency: "USD", reason: null });
  const message = await mapped.post("/messages", { ...order, max_tokens: 50 });
  expect(message.body.svc_cost).toMatchObject({ amount: "0.00215" });
});

it("a repeated request costs nothing more, and shows what the first one cost", async () => {
  const sum = async () => {
    await mapped.gateway.context.meter.flush();
    const { rows } = await mapped.gateway.context.database.pool.query(
      "select coalesce(sum(charge), 0)::text as sum from usage_sums where account_id = $1",
      [account.accountId],
    );
    return rows[0].sum as string;
  };
  const before = Number(await sum());
  const again = { "idempotency-key": "costs-once" };
  const all = await Promise.all([chat(again), chat(again), chat(again)]);
  const last = await chat(again);
  expect(last.headers.get("idempotent-replayed")).toBe("true");
  expect(last.headers.get("x-svc-cost")).toBe("0.002150 USD");
  expect(all.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(Number(await sum()) - before).toBeCloseTo(0.00215, 12);
});

it("a run that fails costs nothing", async () => {
  upstream.trouble(/chat/, { status: 400, json: { error: { message: "no" } } });
  const { status, headers } = await chat();
  expect([status, headers.has("x-svc-cost")]).toEqual([400, false]);
});

it("past runs keep their price, and a scheduled price applies at its time", async () => {
  const old = await chat();
  const next = await set({ components: [million("input_token", "100"), million("output_token", "100")] });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await set({ components: [million("token", "1")], effective_at: later });
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.110000 USD");
  expect(await costOf(old.headers)).toMatchObject({ amount: "0.00215" });
  const { body } = await operator("GET", "/prices?model=svc/chat-1");
  expect(body).toMatchObject({
    currency: "USD",
    data: [
      { status: "scheduled", effective_at: later, ends_at: null },
      { id: next.id, status: "in_force", ends_at: later },
      { status: "replaced" },
    ],
  });
  const { body: current } = await operator("GET", "/prices?model=svc/chat-1&current=true");
  expect(current.data).toHaveLength(2);
});

it("the account's charge is separate from the operator's cost, which callers never see", async () => {
  const dear = await operator("POST", "/markups", { account_id: account.accountId, percent: "20" });
  expect(dear.status, JSON.stringify(dear.body)).toBe(201);
  const { headers, body } = await chat();
  expect(headers.get("x-svc-cost")).toBe("0.132000 USD");
  const id = headers.get("x-svc-generation-id");
  const seen = await costOf(headers);
  expect(seen).toMatchObject({
    amount: "0.132",
    lines: [{ rate: "120" }, { rate: "120" }, { rate: "120" }, { rate: "120" }],
  });
  expect(JSON.stringify([seen, body])).not.toContain("0.11");
  expect((await operator("GET", `/runs/${id}/cost`)).body).toMatchObject({
    provider: "acme",
    cost: { amount: "0.11" },
    charge: { amount: "0.132" },
  });
  await set({
    account_id: account.accountId,
    components: [million("input_token", "1"), million("output_token", "1")],
  });
  const own = await chat();
  expect(own.headers.get("x-svc-cost")).toBe("0.001100 USD");
  expect(await costOf(own.headers)).toMatchObject({ amount: "0.0011", lines: [{ rate: "1" }, {}, {}, {}] });
  const other = await mapped.gateway.createAccount();
  const foreign = await call(mapped.gateway, other.key, "GET", `/runs/${id}/cost`);
  expect([foreign.status, foreign.body.error]).toMatchObject([404, { code: "run_not_found" }]);
  await set({ account_id: account.accountId, components: [] });
  await operator("POST", "/markups", { account_id: account.accountId, percent: "0" });
});

it("each markup ends when the account's next one begins, and the current one has no end", async () => {
  const { accountId } = await mapped.gateway.createAccount();
  const markup = async (percent: string, effective_at?: string) =>
    (await operator("POST", "/markups", { account_id: accountId, percent, effective_at })).body;
  for (const percent of ["1", "2", "3", "4", "5"])
    expect(await markup(percent)).toMatchObject({ ends_at: null });
  const listed = async () =>
    (await operator("GET", `/markups?account_id=${accountId}`)).body.data as Record<string, string>[];
  const before = await listed();
  expect(before.map(({ percent }) => percent)).toEqual(["5", "4", "3", "2", "1"]);
  expect(before.map(({ ends_at }) => ends_at)).toEqual([
    null,
    ...before.slice(0, 4).map(({ effective_at }) => effective_at),
  ]);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await markup("6", later);
  const states = async () => (await listed()).map(({ status }) => status);
  expect((await listed()).slice(0, 2).map(({ ends_at }) => ends_at)).toEqual([null, later]);
  expect(await states()).toEqual(["scheduled", "in_force", ...Array(4).fill("replaced")]);
  // A version that begins before a scheduled one ends when the scheduled one begins.
  expect(await markup("7")).toMatchObject({ percent: "7", status: "in_force", ends_at: later });
  expect(await states()).toEqual(["in_force", "scheduled", ...Array(5).fill("replaced")]);
});

it("a fee per request is charged beside the tokens, also by an account's own price", async () => {
  const tokens = [million("input_token", "1"), million("output_token", "1")];
  const fee = (rate: string) => ({ kind: "operation", per: 1, rate });
  await set({ components: [...tokens, fee("0.01")] });
  const { headers } = await chat();
  expect(headers.get("x-svc-cost")).toBe("0.011100 USD");
  expect((await costOf(headers)).lines).toContainEqual(
    expect.objectContaining({ kind: "operation", quantity: 1, rate: "0.01", amount: "0.01" }),
  );
  // An account's own price without a fee does not charge one, and reveals nothing about the cost's fee.
  await set({ account_id: account.accountId, components: tokens });
  const own = await chat();
  expect(own.headers.get("x-svc-cost")).toBe("0.001100 USD");
  const id = own.headers.get("x-svc-generation-id");
  expect(JSON.stringify(await costOf(own.headers))).not.toContain("0.01");
  expect((await operator("GET", `/runs/${id}/cost`)).body).toMatchObject({
    cost: { amount: "0.0111" },
    charge: { amount: "0.0011" },
  });
  await set({ account_id: account.accountId, components: [...tokens, fee("0.5")] });
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.501100 USD");
  const usage = (await read("/usage?group_by=kind")).body.data as { kind: string; requests: number }[];
  expect(usage).toContainEqual(expect.objectContaining({ kind: "request", quantity: 3, requests: 0 }));
  await set({ account_id: account.accountId, components: [] });
});

it("removing one provider's price makes the general price apply again", async () => {
  const price = (rate: string) => [million("input_token", rate), million("output_token", rate)];
  await set({ components: price("100") });
  await set({ provider: "acme", components: price("1") });
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.001100 USD");
  await set({ provider: "acme", components: [] });
  expect((await chat()).headers.has("x-svc-cost")).toBe(false);
  await set({ provider: "acme", components: null });
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.110000 USD");
  const { body } = await operator("GET", "/prices?model=svc/chat-1&current=true&provider=acme");
  expect(body.data).toEqual([]);
});

it("the prices file takes precedence, is read again, and no longer applies to a price that it drops", async () => {
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.110000 USD");
  const refresh = () => mapped.gateway.context.configuration.refresh();
  writeFile([
    { ...model, provider: null, components: [million("input_token", "1"), million("output_token", "2")] },
  ]);
  await refresh();
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.001200 USD");
  const { body } = await operator("GET", "/prices?model=svc/chat-1&current=true&account_id=none");
  expect(
    (body.data as { managed_by: string; status: string }[]).map((one) => [one.managed_by, one.status]),
  ).toEqual([
    ["file", "in_force"],
    ["console", "overridden_by_file"],
    ["console", "overridden_by_file"],
  ]);
  const { context } = mapped.gateway;
  const withoutFile = new PricesFileReader({ ...context.config, pricesFile: null }, context.log);
  await withoutFile.follow(context.database);
  await refresh();
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.001200 USD");
  writeFileSync(pricesFile, '{"prices": [{"model": "x"}]}   ');
  await refresh();
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.001200 USD");
  expect((await operator("GET", "/prices")).body.file).toMatchObject({
    problem: expect.stringContaining("PRICES_FILE"),
    problem_codes: [{ code: "prices_wrong_shape", at: `PRICES_FILE ${pricesFile}` }],
  });
  writeFile([]);
  await refresh();
  expect((await chat()).headers.get("x-svc-cost")).toBe("0.110000 USD");
  expect((await operator("GET", "/prices")).body.file).toMatchObject({ problem: null });
});

it("implausible prices are refused, and nothing changes", async () => {
  const count = async () => ((await operator("GET", "/prices?limit=100")).body.data as object[]).length;
  const before = await count();
  const refused = async (price: object) => {
    const { status, body } = await operator("POST", "/prices", { ...model, components: [], ...price });
    expect(status, JSON.stringify(body)).toBe(400);
    return JSON.stringify(body);
  };
  const input = million("input_token", "1");
  await refused({ components: [{ ...input, rate: "0.0000000000001" }] });
  await refused({ components: [{ ...input, rate: 1 }] });
  await refused({ components: [{ ...input, rate: "-1" }] });
  await refused({ components: [{ ...input, per: 0 }] });
  await refused({ components: [{ ...input, kind: "__proto__" }] });
  await refused({ components: [{ ...input, when: { colour: "red" } }] });
  await refused({ components: [{ ...input, unit: "second" }] });
  expect(await refused({ components: [input, input] })).toContain("already");
  expect(await refused({ currency: "EUR" })).toContain("USD");
  expect(await refused({ effective_at: "2020-01-01T00:00:00Z" })).toContain("keep their price");
  expect(await refused({ account_id: "acct_nobody" })).toContain("no account");
  const bulk = await operator("POST", "/prices/import", {
    prices: [
      { ...model, components: [input] },
      { ...model, components: [], currency: "EUR" },
    ],
  });
  expect([bulk.status, JSON.stringify(bulk.body)]).toEqual([
    400,
    expect.stringContaining("prices[1].currency"),
  ]);
  const named = await operator("POST", "/prices/import", {
    prices: [{ ...model, components: [input, input] }],
  });
  expect([named.status, JSON.stringify(named.body)]).toEqual([
    400,
    expect.stringContaining("svc/chat-1: prices[0].components[1]: input_token already has a rate"),
  ]);
  expect(await count()).toBe(before);
  const asMember = await call(mapped.gateway, account.key, "POST", "/operator/prices", {
    ...model,
    components: [],
  });
  expect(asMember.status).toBe(403);
});

it("an import that skips invalid rows sets the others, and reports why each was refused", async () => {
  const input = million("input_token", "1");
  const row = { model: "svc/chat-3", api_type: "chat-completions", components: [input] };
  const prices = [
    row,
    { ...row, components: [input, input] },
    { ...row, components: [{ ...input, rate: "1e-6" }] },
    { ...row, currency: "EUR" },
    { ...row, effective_at: "2020-01-01T00:00:00Z" },
    { ...row, account_id: "acct_nobody" },
    { ...row, colour: "red" },
    "no price",
    { ...row, region: "us-virginia" },
  ];
  const whole = await operator("POST", "/prices/import", { prices });
  expect(whole.status).toBe(400);
  const { status, body } = await operator("POST", "/prices/import", { prices, skip_invalid: true });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.data).toMatchObject([{ region: null }, { region: "us-virginia" }]);
  const why: [number, string][] = [
    [1, "components[1]"],
    [2, "components[0].rate"],
    [3, "currency"],
    [4, "effective_at"],
    [5, "acct_nobody"],
    [6, "colour"],
    [7, "object"],
  ];
  expect(body.refused).toEqual(
    why.map(([at, says]) => ({
      row: at,
      model: at === 7 ? null : "svc/chat-3",
      message: expect.stringContaining(says),
    })),
  );
  const set = await operator("GET", "/prices?model=svc/chat-3");
  expect(set.body.data).toHaveLength(2);
  const none = await operator("POST", "/prices/import", { prices: ["no price"], skip_invalid: true });
  expect([none.status, none.body]).toMatchObject([201, { data: [], refused: [{ row: 0, model: null }] }]);
  const priced = ["svc/chat-1", "svc/chta-3", "svc/chta-3"].map((model, at) => ({
    ...row,
    model,
    region: at === 2 ? "us-virginia" : null,
  }));
  const imported = await operator("POST", "/prices/import", { prices: priced });
  expect([imported.status, imported.body]).toMatchObject([201, { unknown_models: ["svc/chta-3"] }]);
});

it("two full imports of one price can be read and listed at once, and the last row of the second applies", async () => {
  const scope = { model: "svc/chat-2", api_type: "chat-completions", region: "us-virginia" };
  const full = (rate: number) =>
    Array.from({ length: priceLimits.atOnce }, (_, at) => ({
      ...scope,
      components: [million("input_token", `${rate + at}`)],
    }));
  await operator("POST", "/prices/import", { prices: full(0) });
  const { status, body } = await operator("POST", "/prices/import", { prices: full(priceLimits.atOnce) });
  expect(status).toBe(201);
  const made = body.data as Price[];
  expect(made).toHaveLength(priceLimits.atOnce);
  expect([made[0]?.status, made.at(-1)?.status, made.at(-1)?.ends_at]).toEqual([
    "replaced",
    "in_force",
    null,
  ]);
  const listed = await operator("GET", "/prices?model=svc/chat-2&current=true&count=true");
  expect(listed.body.total).toEqual({ count: 1, more: false });
  expect(listed.body.data).toEqual([made.at(-1)]);
  const page = (await operator("GET", "/prices?model=svc/chat-2&limit=100")).body.data as Price[];
  expect(page.map(({ status: one }) => one)).toEqual(["in_force", ...Array(99).fill("replaced")]);
});
