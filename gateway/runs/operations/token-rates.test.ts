import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import type { Limiter } from "#gateway/platform/limits/limiter.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal } from "#gateway/testing/gateway.ts";

/** What the upstream reports for a chat, and for embeddings; a ranking is counted here. */
const used = { chat: 17, vectors: 7, ranks: tokensIn([["Hello", ["a", "b"]]]) };
const model = "svc/chat-1";
const hello = [{ role: "user", content: "Hello" }];
const chat = { model, messages: hello, max_tokens: 40 };
const minuteMs = 60_000;

describe("tokens per minute", () => {
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: { main: providerAt(upstream) },
      routes: [{ models: [model, "svc/chat-2"], provider: "main", upstream_model: "main" }],
    }),
  );
  beforeAll(async () => {
    const operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    for (const [id, kind] of [
      ["own/vectors", "embeddings"],
      ["own/ranks", "rerank"],
    ] as const) {
      const template = { model: `template/${kind}`, api_type: kind };
      expect(
        await call(mapped.gateway, operator, "POST", "/operator/models", { id, template }),
      ).toMatchObject({ status: 201 });
    }
    const entry = (id: string, name: string) => ({ models: [id], provider: "main", upstream_model: name });
    expect(
      await call(mapped.gateway, operator, "PUT", "/operator/routes", {
        routes: [entry("own/vectors", "v"), entry("own/ranks", "r")],
      }),
    ).toMatchObject({ status: 200 });
  });
  beforeEach(() => {
    upstream.streamEnd = "done";
  });

  const post = (bearer: string, path: string, body: object, headers = {}) =>
    call(mapped.gateway, bearer, "POST", path, body, headers);
  const send = (bearer: string, method: string, path: string, body: object) =>
    call(mapped.gateway, bearer, method, path, body);
  /** A new key with this limit of tokens. */
  const keyWith = async (limits: object, session = mapped.account.session) => {
    const { status, body } = await send(session, "POST", "/keys", { name: "limited", ...limits });
    expect(status, JSON.stringify(body)).toBe(201);
    return { id: String(body.id), secret: String(body.secret) };
  };
  /** The tokens of a limit that are left; none is taken. */
  const left = async (subject: string, perMinute: number, name = "tokens") => {
    const limiter: Limiter = mapped.gateway.context.limiter;
    return (await limiter.take(subject, { name, count: perMinute, periodMs: minuteMs }, 0)).remaining;
  };
  /** Waits until the limit has lost what was used, and no more; a minute's tokens come back with time. */
  const isUsed = async (tokens: number, ...of: Parameters<typeof left>) => {
    const [, perMinute] = of;
    const since = performance.now();
    await expect.poll(() => left(...of)).toBeGreaterThanOrEqual(perMinute - tokens);
    const back = ((performance.now() - since + 10_000) * perMinute) / minuteMs;
    expect(await left(...of)).toBeLessThanOrEqual(perMinute - tokens + back);
  };

  it("lead to the next model of an alias if only the limit of one model is full or too small", async () => {
    const alias = { name: "pair", models: [model, "svc/chat-2"] };
    const made = await send(mapped.account.session, "POST", "/aliases", alias);
    expect(made.status).toBe(201);
    const pair = { ...chat, model: "pair" };
    const ranOn = async (bearer: string, fields: object = {}) => {
      const { body } = await post(bearer, "/chat/completions", { ...pair, ...fields });
      return body.model ?? (body.error as { code: string }).code;
    };
    const both = await keyWith({ tokens_per_minute: 1_000, model_tokens_per_minute: { [model]: 100 } });
    expect(await ranOn(both.secret)).toBe(model);
    expect(await ranOn(both.secret, { max_tokens: 400 })).toBe("svc/chat-2");
    const { limiter } = mapped.gateway.context;
    const limit = (name: string, count: number) => ({ name, count, periodMs: minuteMs });
    limiter.charge(both.id, limit(`tokens of ${model}`, 100), 100);
    expect(await ranOn(both.secret)).toBe("svc/chat-2");
    expect(await ranOn(both.secret, { max_tokens: 2_000 })).toBe("request_over_token_limit");
    limiter.charge(both.id, limit("tokens", 1_000), 1_000);
    expect(await ranOn(both.secret)).toBe("rate_limit_exceeded");
    await send(mapped.account.session, "PATCH", `/aliases/${made.body.id}`, { go_on_when: ["down"] });
    const { secret } = await keyWith({ model_tokens_per_minute: { [model]: 10 } });
    await expect.poll(() => ranOn(secret)).toBe("request_over_token_limit");
  });

  it.each([
    ["/chat/completions", chat, used.chat],
    ["/chat/completions", { ...chat, stream: true }, used.chat],
    ["/messages", chat, used.chat],
    ["/messages", { ...chat, stream: true }, used.chat],
    ["/responses", { model, input: "Hello", max_output_tokens: 40 }, used.chat],
    ["/responses", { model, input: "Hello", max_output_tokens: 40, stream: true }, used.chat],
    [`/models/${model}/predictions`, { input: { messages: hello, max_tokens: 40 } }, used.chat],
    ["/embeddings", { model: "own/vectors", input: "Hello" }, used.vectors],
    ["/rerank", { model: "own/ranks", query: "Hello", documents: ["a", "b"] }, used.ranks],
  ])("%s says what is left, and counts what was used (%j)", async (path, body, tokens) => {
    const { id, secret } = await keyWith({ tokens_per_minute: 600 });
    const { status, headers } = await post(secret, path, body);
    expect(status).toBe(200);
    expect(headers.get("x-ratelimit-limit-tokens")).toBe("600");
    expect(Number(headers.get("x-ratelimit-remaining-tokens"))).toBeLessThan(600);
    expect(headers.get("x-ratelimit-reset-tokens")).toMatch(/^[1-9]?\d\.\ds$/);
    const ofAnthropic = ["limit", "remaining", "reset"].map((part) =>
      headers.get(`anthropic-ratelimit-tokens-${part}`),
    );
    expect(ofAnthropic).toEqual(
      path === "/messages"
        ? ["600", headers.get("x-ratelimit-remaining-tokens"), expect.stringMatching(/^20.*Z$/)]
        : [null, null, null],
    );
    await isUsed(tokens, id, 600);
  });

  it("a request that no minute can hold is a 400 that names what it needs, and is not retried", async () => {
    const { secret } = await keyWith({ tokens_per_minute: 50 });
    const refused = await post(secret, "/chat/completions", { ...chat, max_tokens: 60 });
    expect(refused).toMatchObject(refusal(400, "request_over_token_limit"));
    expect(refused.body.error).toMatchObject({
      param: "max_tokens",
      message: expect.stringContaining("60 of output"),
    });
    expect(refused.headers.get("x-should-retry")).toBe("false");
    const words = { messages: [{ role: "user", content: "word ".repeat(100) }] };
    for (const [path, body] of [
      ["/chat/completions", { model, ...words }],
      ["/messages", { model, ...words, max_tokens: 1 }],
      ["/embeddings", { model: "own/vectors", input: "word ".repeat(100) }],
      ["/rerank", { model: "own/ranks", query: "word", documents: Array(100).fill("word") }],
    ] as const)
      expect((await post(secret, path, body)).status, path).toBe(400);
    expect(await post(secret, "/responses", { model, input: "Hello", max_output_tokens: 60 })).toMatchObject({
      body: { error: { code: "request_over_token_limit", param: "max_output_tokens" } },
    });
  });

  it("one that does not fit now is a 429 that says when it will", async () => {
    const { secret } = await keyWith({ tokens_per_minute: 100 });
    upstream.trouble(/chat/, "silence");
    const leaving = new AbortController();
    const waiting = call(
      ...([mapped.gateway, secret, "POST", "/chat/completions", { ...chat, max_tokens: 80 }, {}] as const),
      leaving.signal,
    ).catch(() => null);
    await expect.poll(() => upstream.seen.at(-1)?.json().max_tokens).toBe(80);
    const refused = await post(secret, "/messages", chat);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(10);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get("x-ratelimit-limit-tokens")).toBe("100");
    expect(refused.headers.get("anthropic-ratelimit-tokens-limit")).toBe("100");
    // The caller who leaves gives back what was reserved.
    leaving.abort();
    await waiting;
    await expect.poll(async () => (await post(secret, "/chat/completions", chat)).status).toBe(200);
  });

  it("concurrent requests share what is left, also of a stream", async () => {
    const { id, secret } = await keyWith({ tokens_per_minute: 150 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        post(secret, "/chat/completions", { ...chat, max_tokens: 60, stream: at % 2 === 0 }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await isUsed(used.chat * statuses.filter((status) => status === 200).length, id, 150);
  });

  it("a failure, and a stream that is cut before its first word, give everything back", async () => {
    const { id, secret } = await keyWith({ tokens_per_minute: 60 });
    upstream.trouble(/chat/, { status: 400 });
    expect((await post(secret, "/chat/completions", chat)).status).toBeGreaterThanOrEqual(400);
    await expect.poll(() => left(id, 60)).toBe(60);
    upstream.trouble(/chat/, "reset", 2);
    expect((await post(secret, "/chat/completions", { ...chat, stream: true })).status).toBe(502);
    await expect.poll(() => left(id, 60)).toBe(60);
  });

  it("a cut stream counts what came of it", async () => {
    const { id, secret } = await keyWith({ tokens_per_minute: 600 });
    upstream.streamEnd = "cut";
    await post(secret, "/chat/completions", { ...chat, stream: true });
    await expect.poll(() => left(id, 600)).toBeGreaterThan(560);
    expect(await left(id, 600)).toBeLessThan(600);
  });

  it("without max_tokens it reserves the model's usual output, and more than a minute counts later", async () => {
    const { id, secret } = await keyWith({ tokens_per_minute: 18 });
    const { max_tokens: _, ...open } = chat;
    expect((await post(secret, "/chat/completions", open)).status).toBe(200);
    await expect.poll(() => left(id, 18)).toBeLessThanOrEqual(8);
    mapped.gateway.context.limiter.charge(id, { name: "tokens", count: 18, periodMs: minuteMs }, 100);
    expect((await post(secret, "/chat/completions", open)).status).toBe(429);
  });

  it("a picture in a prompt is not counted before its upstream has", async () => {
    const operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    const template = { model, api_type: "chat-completions" };
    const seeing = { id: "own/seeing", template, input_modalities: ["text", "image"] };
    await call(mapped.gateway, operator, "POST", "/operator/models", seeing);
    const { secret } = await keyWith({ tokens_per_minute: 100 });
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url: smallImage } },
    ];
    expect(smallImage.length).toBeGreaterThan(400);
    const asked = { model: "own/seeing", messages: [{ role: "user", content }], max_tokens: 20 };
    expect((await post(secret, "/chat/completions", asked)).status).toBe(200);
  });

  it("a limit of one model leaves the others alone", async () => {
    const { id, secret } = await keyWith({ model_tokens_per_minute: { [model]: 60 } });
    expect((await post(secret, "/chat/completions", chat)).headers.get("x-ratelimit-limit-tokens")).toBe(
      "60",
    );
    const other = await post(secret, "/chat/completions", { ...chat, model: "svc/chat-2" });
    expect([other.status, other.headers.get("x-ratelimit-limit-tokens")]).toEqual([200, null]);
    await isUsed(used.chat, id, 60, `tokens of ${model}`);
    const unknown = await send(mapped.account.session, "POST", "/keys", {
      name: "unknown",
      model_tokens_per_minute: { "acme/none": 5 },
    });
    expect(unknown).toMatchObject({ status: 400, body: { error: { param: "model_tokens_per_minute" } } });
  });

  it("holds for a member's sessions and keys together, for the account, and until it is changed", async () => {
    const account = await mapped.gateway.createAccount();
    const member = await mapped.gateway.addMember(account, "member");
    const { accountId, session } = account;
    const change = (path: string, body: object) => send(session, "PATCH", path, body);
    const asked = await change(`/account/members/${member.userId}`, { tokens_per_minute: 45 });
    expect(asked).toMatchObject({ status: 200, body: { tokens_per_minute: 45 } });
    const { secret } = await keyWith({ kind: "personal" }, member.session);
    expect(await post(secret, "/chat/completions", { ...chat, max_tokens: 46 })).toMatchObject(
      refusal(400, "request_over_token_limit"),
    );
    const ofMember = `${member.userId} ${accountId}`;
    expect((await post(member.session, "/chat/completions", { ...chat, max_tokens: 20 })).status).toBe(200);
    await expect.poll(() => left(ofMember, 45)).toBeLessThan(45 - used.chat + 10);
    mapped.gateway.context.limiter.charge(ofMember, { name: "tokens", count: 45, periodMs: minuteMs }, 45);
    for (const bearer of [secret, member.session])
      expect((await post(bearer, "/chat/completions", { ...chat, max_tokens: 20 })).status).toBe(429);

    expect((await post(account.key, "/chat/completions", chat)).status).toBe(200);
    const ofAccount = { tokens_per_minute: null, model_tokens_per_minute: { [model]: 30 } };
    expect(await change("/account/budgets", ofAccount)).toMatchObject({ status: 200, body: ofAccount });
    await expect
      .poll(async () => (await post(account.key, "/chat/completions", chat)).body.error)
      .toMatchObject({ message: expect.stringContaining("This account may use 30 a minute") });
    expect(await change("/account/budgets", { model_tokens_per_minute: null })).toMatchObject({
      status: 200,
    });
    await expect.poll(async () => (await post(account.key, "/chat/completions", chat)).status).toBe(200);
    const audits = (await call(mapped.gateway, session, "GET", "/audit_logs")).body.data;
    expect(audits).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: "account.budgets_updated", detail: ofAccount }),
        expect.objectContaining({ action: "member.updated", detail: { tokens_per_minute: 45 } }),
      ]),
    );
  });

  it("rows of a batch, and background responses that were accepted, wait until they fit", async () => {
    const { id, secret } = await keyWith({ tokens_per_minute: 6_000 });
    const limit = { name: "tokens", count: 6_000, periodMs: minuteMs };
    const { limiter } = mapped.gateway.context;
    const { take } = limiter;
    const overdraw = vi.spyOn(limiter, "take").mockImplementation(async (subject, ...asked) => {
      const taken = await take(subject, ...asked);
      if (subject !== id || asked[0].name !== limit.name) return taken;
      overdraw.mockRestore();
      limiter.charge(id, limit, 6_200);
      return taken;
    });
    const queued = { model, input: "Hello", max_output_tokens: 10, background: true };
    const background = await post(secret, "/responses", queued);
    expect(background).toMatchObject({ status: 200, body: { status: "queued" } });
    const rows = [{ messages: hello, max_tokens: 10 }];
    const batch = await post(secret, "/batches", { model, api_type: "chat-completions", rows });
    expect(batch.status).toBe(202);
    const read = async (path: string) => (await call(mapped.gateway, secret, "GET", path)).body;
    await expect
      .poll(async () => (await read(`/batches/${String(batch.body.id)}`)).counts)
      .toMatchObject({ succeeded: 1 });
    await expect
      .poll(async () => (await read(`/responses/${String(background.body.id)}`)).status)
      .toBe("completed");
  });
});
