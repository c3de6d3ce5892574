import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const messages = [{ role: "user", content: "Hello" }];

describe("an alias", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());

  const ask = (method: string, path: string, body?: unknown, bearer = account.session) =>
    call(gateway, bearer, method, path, body);
  const name = (alias: string, models: string[], more = {}, bearer?: string) =>
    ask("POST", "/aliases", { name: alias, models, ...more }, bearer);
  const chat = (model: string, more = {}, bearer = account.key) =>
    ask("POST", "/chat/completions", { model, messages, ...more }, bearer);

  it("runs its models through every API, streamed and not, and is in the log", async () => {
    const made = await name("claude-sonnet-5", ["svc/chat-2", "svc/chat-1"]);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: "claude-sonnet-5",
      models: ["svc/chat-2", "svc/chat-1"],
      go_on_when: ["busy", "down", "too_long", "budget", "failed", "slow"],
      for_everyone: false,
      unavailable: [],
    });
    const answer = await chat("claude-sonnet-5");
    expect([answer.status, answer.body.model, answer.headers.get("x-svc-alias")]).toEqual([
      200,
      "svc/chat-2",
      "claude-sonnet-5",
    ]);
    const streamed = await chat("claude-sonnet-5", { stream: true });
    expect(streamed.headers.get("x-svc-alias")).toBe("claude-sonnet-5");
    expect(streamed.body.text).toContain('"model":"svc/chat-2"');
    const response = await ask("POST", "/responses", { model: "claude-sonnet-5", input: "Hi" }, account.key);
    expect(response.body).toMatchObject({ object: "response", model: "svc/chat-2" });
    const message = { model: "claude-sonnet-5", max_tokens: 50, messages };
    expect((await ask("POST", "/messages", message, account.key)).body).toMatchObject({
      type: "message",
      model: "svc/chat-2",
    });
    const { status } = await ask("POST", "/messages/count_tokens", message, account.key);
    expect(status).toBe(200);
    const batch = await ask("POST", "/batches", {
      model: "claude-sonnet-5",
      rows: [{ messages }],
    });
    expect([batch.status, batch.body.model]).toEqual([202, "svc/chat-2"]);
    await expect
      .poll(async () => {
        const { body } = await ask("GET", "/requests?route=chat");
        return (body.data as { model: string; alias: string }[]).map((row) => [row.model, row.alias]);
      })
      .toEqual([
        ["svc/chat-2", "claude-sonnet-5"],
        ["svc/chat-2", "claude-sonnet-5"],
      ]);
  });

  it("is listed among the models, and a change applies to the next run", async () => {
    const { body } = await name("fast", ["svc/chat-1"]);
    const listed = await ask("GET", "/models");
    const entry = (listed.body.data as { id: string }[]).find(({ id }) => id === "fast");
    expect(entry).toMatchObject({ id: "fast", object: "model", alias_of: ["svc/chat-1"] });
    expect((await ask("GET", "/models/fast")).body).toMatchObject({ id: "fast", alias_of: ["svc/chat-1"] });
    const without = await ask("GET", "/models?aliases=false");
    expect((without.body.data as { id: string }[]).some(({ id }) => id === "fast")).toBe(false);
    for (const query of [
      "",
      "?aliases=false",
      "?q=fast",
      "?api_type=chat-completions",
      "?q=nothing-is-called-so",
    ]) {
      const { body: list } = await ask("GET", `/models${query}`);
      const data = list.data as { available_regions: string[] }[];
      expect([query, list.registry]).toMatchObject([
        query,
        {
          model_count: data.length,
          region_model_relations: data.flatMap((one) => one.available_regions).length,
        },
      ]);
    }
    const path = `/aliases/${body.id}`;
    expect((await ask("PATCH", path, { models: ["svc/chat-2"] })).status).toBe(200);
    expect((await chat("fast")).body.model).toBe("svc/chat-2");
    const changed = await ask("GET", "/models");
    expect(changed.headers.get("etag")).not.toBe(listed.headers.get("etag"));
    expect((await ask("DELETE", path)).body).toEqual({ id: body.id, object: "alias", deleted: true });
    expect((await chat("fast")).body.error).toMatchObject({ code: "model_not_found" });
    const { body: audit } = await ask("GET", "/audit_logs?limit=3");
    const rows = audit.data as { action: string; detail: object }[];
    expect(rows.map(({ action }) => action)).toEqual(["alias.deleted", "alias.updated", "alias.created"]);
    expect(rows[1]?.detail).toMatchObject({
      before: { models: ["svc/chat-1"] },
      after: { models: ["svc/chat-2"] },
    });
  });

  it("belongs to the account; only an operator can make one for everyone", async () => {
    const other = await gateway.createAccount();
    await name("mine", ["svc/chat-1"]);
    expect((await chat("mine", {}, other.key)).body.error).toMatchObject({ code: "model_not_found" });
    const everyone = { for_everyone: true };
    expect((await name("gpt-5", ["svc/chat-1"], everyone, other.session)).body.error).toMatchObject({
      code: "operator_required",
    });
    const operator = await gateway.createKey(account.accountId, { scopes: ["operator", "keys"] });
    const { body } = await name("gpt-5", ["svc/chat-1"], everyone, operator);
    expect(body).toMatchObject({ for_everyone: true });
    expect((await chat("gpt-5", {}, other.key)).body.model).toBe("svc/chat-1");
    const hers = await name("gpt-5", ["svc/chat-2"], {}, other.session);
    expect(hers.status).toBe(201);
    expect((await chat("gpt-5", {}, other.key)).body.model).toBe("svc/chat-2");
    expect((await ask("DELETE", `/aliases/${body.id}`, undefined, other.session)).body.error).toMatchObject({
      code: "operator_required",
    });
    const anonymous = await (await fetch(`${gateway.url}/models`)).json();
    expect(anonymous.data.find(({ id }: { id: string }) => id === "gpt-5")).toMatchObject({
      alias_of: ["svc/chat-1"],
    });
  });

  it.each([
    [{ name: "svc/chat-1", models: ["svc/chat-2"] }, "alias_exists", "name"],
    [{ name: "a b", models: ["svc/chat-2"] }, "invalid_parameter", "name"],
    [{ name: "x", models: ["svc/nothing"] }, "invalid_parameter", "models[0]"],
    [{ name: "x", models: ["svc/chat-1", "svc/vid-t2v"] }, "invalid_parameter", "models[1]"],
    [{ name: "x", models: [] }, "invalid_parameter", "models"],
    [{ name: "x", models: ["svc/chat-1"], go_on_when: ["never"] }, "invalid_parameter", "go_on_when[0]"],
    [{ name: "x", models: ["svc/chat-1"], when: [] }, "invalid_parameter", "when"],
  ])("is refused: %j", async (create, code, param) => {
    expect((await ask("POST", "/aliases", create)).body.error).toMatchObject({ code, param });
  });

  it("skips models that the key may not use, and enforces the gates of the model that runs", async () => {
    await name("either", ["svc/chat-1", "svc/chat-2"]);
    const narrow = await gateway.createKey(account.accountId, { models: ["svc/chat-2"] });
    expect((await chat("either", {}, narrow)).body.model).toBe("svc/chat-2");
    const none = await gateway.createKey(account.accountId, { models: ["svc/vid-t2v"] });
    expect((await chat("either", {}, none)).body.error).toMatchObject({ code: "model_not_allowed" });
    await name("films", ["svc/adult-vid-1", "svc/vid-t2v"]);
    const gated = await ask("POST", "/videos", { model: "films", prompt: "a river" }, account.key);
    expect(gated.status).toBeGreaterThanOrEqual(400);
    await name("river", ["svc/vid-t2v"]);
    const film = await ask(
      "POST",
      "/videos/generations",
      { model: "river", prompt: "a river", duration: 5 },
      account.key,
    );
    expect(film.body).toMatchObject({ model: "svc/vid-t2v", alias: "river" });
    expect(film.body.timeline).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: "accepted", detail: expect.objectContaining({ alias: "river" }) }),
      ]),
    );
  });
});

describe("an alias of models that run at upstreams", () => {
  const first = shared(startOpenAiServer);
  const second = shared(startOpenAiServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        first: providerAt(first),
        second: providerAt(second),
      },
      routes: [
        { models: ["svc/chat-1"], provider: "first", upstream_model: "main" },
        { models: ["svc/chat-2"], provider: "second", upstream_model: "spare" },
      ],
    }),
  );
  const create = { name: "best", models: ["svc/chat-1", "svc/chat-2"] };
  beforeAll(async () => {
    const { status } = await call(mapped.gateway, mapped.account.session, "POST", "/aliases", create);
    expect(status).toBe(201);
    const careful = { ...create, name: "careful", go_on_when: ["down"] };
    await call(mapped.gateway, mapped.account.session, "POST", "/aliases", careful);
  });
  beforeEach(async () => {
    // After their cool-down, a good answer closes the breakers.
    vi.setSystemTime(Date.now() + 600_000);
    await chat("svc/chat-1");
    vi.useRealTimers();
    for (const server of [first, second]) server.seen.length = 0;
  });

  const chat = (model: string, stream = false) =>
    mapped.post("/chat/completions", { model, messages, stream });
  const tooLong = { status: 400, json: { error: { code: "context_length_exceeded", message: "too long" } } };

  // A failure that often passes is tried once more on the same model.
  it.each([
    [{ status: 503 }, 2],
    [{ status: 500 }, 2],
    ["reset", 2],
    [{ status: 429 }, 1],
    [tooLong, 1],
  ] as const)(
    "hands over to the next model after %j, with the first one called %i times, streamed and not",
    async (trouble, times) => {
      for (const stream of [false, true]) {
        first.trouble(/chat/, trouble, times);
        const answer = await chat("best", stream);
        expect([answer.status, answer.headers.get("x-svc-alias")]).toEqual([200, "best"]);
        expect(JSON.stringify(answer.body)).toContain("svc/chat-2");
      }
      expect([first.seen.length, second.seen.length]).toEqual([2 * times, 2]);
      expect(second.at(0).json().model).toBe("spare");
    },
  );

  it("does not hand over after a refused input", async () => {
    first.trouble(/chat/, { status: 400 });
    expect((await chat("best")).status).toBe(400);
    expect(second.seen).toHaveLength(0);
  });

  it.each([
    ["chat", "/chat/completions", { messages }],
    ["streamed chat", "/chat/completions", { messages, stream: true }],
    ["response", "/responses", { input: "Hello" }],
    ["streamed response", "/responses", { input: "Hello", stream: true }],
    ["message", "/messages", { max_tokens: 9, messages }],
  ])("a replayed %s must pass the gates of the model that answered", async (_title, path, body) => {
    const { gateway, account } = mapped;
    const gated = {
      id: `acme/gated-${crypto.randomUUID().slice(0, 8)}`,
      template: { model: "svc/chat-2", api_type: "chat-completions" },
      safety_requirements: { adult_attestation_required: true },
      routes: [{ provider: "second", upstream_model: "spare" }],
    };
    const made = await call(gateway, account.session, "POST", "/operator/models", gated);
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    await gateway.attest(account, "adult");
    const keyOf = async (more: object) => {
      const key = { name: "own", kind: "personal", ...more };
      return String((await call(gateway, account.session, "POST", "/keys", key)).body.secret);
    };
    const attested = await keyOf({});
    const plain = await gateway.addMember(account, "member");
    const narrow = await keyOf({ models: ["svc/chat-1"] });
    const alias = `a-${crypto.randomUUID().slice(0, 8)}`;
    await call(gateway, account.session, "POST", "/aliases", {
      name: alias,
      models: ["svc/chat-1", gated.id],
    });
    const headers = { "idempotency-key": crypto.randomUUID() };
    const send = (bearer: string) => call(gateway, bearer, "POST", path, { ...body, model: alias }, headers);
    first.trouble(/chat/, { status: 503 }, 2);
    const answer = await send(attested);
    expect([answer.status, answer.headers.get("x-svc-model")]).toEqual([200, gated.id]);
    expect((await send(attested)).headers.get("idempotent-replayed")).toBe("true");
    const refused = await send(plain.session);
    expect(refused.body.error).toMatchObject({ code: "adult_attestation_required" });
    expect((await send(narrow)).body.error).toMatchObject({ code: "model_not_allowed" });
  });

  it.each([
    ["chat", "/chat/completions", { messages }],
    ["streamed chat", "/chat/completions", { messages, stream: true }],
    ["response", "/responses", { input: "Hello" }],
    ["message", "/messages", { max_tokens: 9, messages }],
  ])(
    "a %s gets the failure of the first model if the gate of the second is closed",
    async (_title, path, body) => {
      const { gateway, account } = mapped;
      const gated = {
        id: `acme/gated-${crypto.randomUUID().slice(0, 8)}`,
        template: { model: "svc/chat-2", api_type: "chat-completions" },
        safety_requirements: { adult_attestation_required: true },
        routes: [{ provider: "second", upstream_model: "spare" }],
      };
      await call(gateway, account.session, "POST", "/operator/models", gated);
      const plain = await gateway.addMember(account, "member");
      const alias = { name: `a-${crypto.randomUUID().slice(0, 8)}`, models: ["svc/chat-1", gated.id] };
      await call(gateway, account.session, "POST", "/aliases", alias);
      const send = () => call(gateway, plain.session, "POST", path, { ...body, model: alias.name });
      first.trouble(/chat/, { status: 500 }, 2);
      expect(await send()).toMatchObject({ status: 502 });
      first.trouble(/chat/, { status: 429, headers: { "retry-after": "1" } });
      expect(await send()).toMatchObject({ status: 429 });
      // Also while the first one may not be called.
      expect(await send()).toMatchObject({ status: 429 });
      gateway.context.health.pauses.clear();
      expect(second.seen).toHaveLength(0);
      expect(await send()).toMatchObject({ status: 200 });
    },
  );

  it("uses the next model, without calling the first, when the input cannot fit", async () => {
    const long = [{ role: "user", content: "word ".repeat(240_000) }];
    const refused = await mapped.post("/chat/completions", { model: "svc/chat-1", messages: long });
    expect(refused.body.error).toMatchObject({ code: "input_too_large" });
    const answer = await mapped.post("/chat/completions", { model: "best", messages: long });
    expect([answer.status, answer.body.model]).toEqual([200, "svc/chat-2"]);
    expect([first.seen.length, second.seen.length]).toEqual([0, 1]);
    const careful = await mapped.post("/chat/completions", { model: "careful", messages: long });
    expect(careful.body.error).toMatchObject({ code: "input_too_large" });
  });

  it("uses the next model only for the reasons that the alias lists", async () => {
    first.trouble(/chat/, { status: 429 });
    expect((await chat("careful")).body.error).toMatchObject({ code: "upstream_rate_limited" });
    expect(second.seen).toHaveLength(0);
    first.trouble(/chat/, { status: 503 }, 2);
    expect((await chat("careful")).body.model).toBe("svc/chat-2");
  });

  it("counts and logs the model that ran", async () => {
    const before = await usage();
    first.trouble(/chat/, { status: 503 }, 2);
    const { headers } = await chat("best");
    const after = await usage();
    expect([after.one - before.one, after.two - before.two]).toEqual([0, 1]);
    const path = `/requests/${headers.get("x-request-id")}`;
    const read = async () => (await call(mapped.gateway, mapped.account.session, "GET", path)).body;
    await expect.poll(read).toMatchObject({ model: "svc/chat-2", alias: "best" });
  });

  async function usage(): Promise<{ one: number; two: number }> {
    const { body } = await call(mapped.gateway, mapped.account.session, "GET", "/usage");
    const rows = body.data as { model: string; requests: number }[];
    const of = (model: string) => rows.find((row) => row.model === model)?.requests ?? 0;
    return { one: of("svc/chat-1"), two: of("svc/chat-2") };
  }
});
