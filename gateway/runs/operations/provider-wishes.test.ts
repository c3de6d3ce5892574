import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { startAnthropicServer } from "#gateway/models/providers/testing/anthropic-server.ts";
import { keyIn, providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { startResponsesServer } from "#gateway/models/providers/testing/responses-server.ts";
import { addFigures, countTry, FigureSums } from "#gateway/platform/figures/sums.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const model = "svc/chat-1";
const video = "svc/adult-i2v-2";
/** The model's first region. */
const near = { credentials: keyIn("us-oregon") };
const chat = { model, messages: [{ role: "user", content: "Hello" }] };

describe("the wishes of a request", () => {
  const upstream = shared(startOpenAiServer);
  const jobs = shared(startReplicateServer);
  const claude = shared(startAnthropicServer);
  const answers = shared(startResponsesServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        ...Object.fromEntries(["usual", "cheap", "fast"].map((name) => [name, providerAt(upstream, near)])),
        far: providerAt(upstream, { credentials: keyIn("us-virginia") }),
        spare: providerAt(upstream),
        claude: providerAt(claude, { protocol: "anthropic" }),
        answers: providerAt(answers, { protocol: "openai-responses" }),
        film: providerAt(jobs, { protocol: "replicate" }),
        cinema: providerAt(jobs, { protocol: "replicate" }),
      },
      routes: [
        { models: [model], provider: "usual", upstream_model: "usual" },
        { models: [model], provider: "cheap", upstream_model: "cheap", priority: 1 },
        {
          ...{ models: [model], provider: "fast", upstream_model: "fast", priority: 2 },
          fields: { omit: ["seed"] },
        },
        { models: [model], provider: "far", upstream_model: "far" },
        { models: ["svc/chat-2"], provider: "spare", upstream_model: "spare" },
        ...["claude", "answers"].map((provider) => ({
          ...{ models: ["svc/chat-2"], provider, upstream_model: "own", priority: 1 },
        })),
        { models: [video], provider: "film", upstream_model: "a/film" },
        { models: [video], provider: "cinema", upstream_model: "a/cinema", priority: 1 },
      ],
    }),
  );
  let operator: string;

  beforeAll(async () => {
    operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    const { database } = mapped.gateway.context;
    const prices = { usual: "0.004", cheap: "0.001", far: "0.002" };
    for (const [provider, rate] of Object.entries(prices)) {
      const components = [
        { kind: "input_token", per: 1_000, rate },
        { kind: "output_token", per: 1_000, rate },
      ];
      const price = { model, api_type: "chat-completions", provider, currency: "USD", components };
      expect(await call(mapped.gateway, operator, "POST", "/operator/prices", price)).toMatchObject({
        status: 201,
      });
    }
    const sums = new FigureSums();
    const { accountId } = mapped.account;
    for (const [provider, firstMs, tokensOut] of [
      ["usual", 900, 10],
      ["fast", 100, 90],
      ["cheap", 500, 50],
    ] as const)
      countTry(
        sums,
        {
          ...{ accountId, provider, model, region: "us-oregon", status: 200, code: "" },
          ...{ firstMs, answerMs: 2_000, tokensOut, generatingMs: 1_000 },
        },
        Date.now(),
      );
    await addFigures(database.queries, sums);
    // They are read once a minute, so what these tests run does not count.
    expect(await mapped.gateway.context.providers.recentTries()).toHaveLength(3);
  });
  beforeEach(() => {
    upstream.seen.length = 0;
  });
  const called = () => upstream.seen.map((request) => String(request.json().model));
  const error = async (provider: unknown, more: object = {}) => {
    const { status, body } = await mapped.post("/chat/completions", { ...chat, provider, ...more });
    return { status, ...(body.error as object) };
  };

  it.each([
    ["the lowest latency; without figures last", { sort: "latency" }, "fast cheap usual far"],
    ["the highest throughput", { sort: "throughput", ignore: ["far"] }, "fast cheap usual"],
    ["order before sort", { order: ["usual"], sort: "latency", ignore: ["far"] }, "usual fast cheap"],
    ["none", {}, "usual"],
    ["order", { order: ["nobody", "fast", "cheap"] }, "fast cheap usual far"],
    ["order, and no others", { order: ["fast", "cheap"], allow_fallbacks: false }, "fast cheap"],
    ["no others", { allow_fallbacks: false }, "usual"],
    ["only", { only: ["cheap"] }, "cheap"],
    ["only, in another region", { only: ["far"] }, "far"],
    ["order, in another region first", { order: ["far"] }, "far usual cheap fast"],
    ["ignore", { ignore: ["usual", "fast"] }, "cheap far"],
    ["the lowest price", { sort: "price" }, "cheap usual fast far"],
    ["the lowest price of all regions", { sort: { by: "price" }, ignore: ["cheap"] }, "far usual fast"],
    ["a highest price", { max_price: { prompt: 2, completion: "2.0" } }, "cheap far"],
    ["nothing, with nulls and empty lists", { order: [], only: null, sort: null, max_price: null }, "usual"],
  ])("are kept: %s", async (_, provider, places) => {
    const order = places.split(" ");
    const { pauses } = mapped.gateway.context.health;
    // All but the last refuse, so that the next one is asked.
    if (order.length > 1)
      upstream.trouble(/chat/, { status: 429, headers: { "retry-after": "50" } }, order.length - 1);
    const answer = await mapped.post("/chat/completions", { ...chat, provider });
    pauses.clear();
    expect(answer.status).toBe(200);
    expect(called()).toEqual(order);
    expect(JSON.stringify(upstream.seen.map((request) => request.json()))).not.toContain("provider");
  });

  it("calls nobody else if there are no fallbacks", async () => {
    upstream.trouble(/chat/, { status: 429 });
    expect(await error({ allow_fallbacks: false })).toMatchObject({ code: "upstream_rate_limited" });
    expect(called()).toEqual(["usual"]);
  });

  it("reserve the price of every provider that may come first, with a hard budget", async () => {
    const made = await call(mapped.gateway, mapped.account.session, "POST", "/keys", {
      name: "spends little",
      budgets: [{ amount: "5", period: "day", hard: true }],
    });
    const ask = async (provider: object) =>
      (
        await call(mapped.gateway, String(made.body.secret), "POST", "/chat/completions", {
          ...chat,
          provider,
        })
      ).body.error;
    // One of them has no price.
    expect(await ask({ allow_fallbacks: false })).toMatchObject({ code: "not_priced" });
    expect(await ask({ allow_fallbacks: false, only: ["cheap"] })).toBeUndefined();
  });

  it("passes over routes that leave a parameter out, and refuses one that the model does not have", async () => {
    const wish = { order: ["fast"], require_parameters: true };
    await mapped.post("/chat/completions", { ...chat, provider: wish });
    await mapped.post("/chat/completions", { ...chat, provider: wish, seed: 7 });
    expect(called()).toEqual(["fast", "usual"]);
    expect(await error(wish, { colour: "blue" })).toMatchObject({
      status: 400,
      code: "invalid_parameter",
      param: "colour",
    });
  });

  it("adds the header to the body, whose values are used for a name in both", async () => {
    const headers = { "x-svc-provider": JSON.stringify({ order: ["fast"], ignore: ["usual"] }) };
    await mapped.post("/chat/completions", { ...chat, provider: { order: ["cheap"] } }, headers);
    await mapped.post("/chat/completions", chat, headers);
    expect(called()).toEqual(["cheap", "fast"]);
  });

  it.each([
    ["/responses", { model, input: "Hello", provider: { only: ["cheap"] } }],
    ["/messages", { ...chat, max_tokens: 5, provider: { only: ["cheap"] } }],
    ["/models/svc/chat-1/predictions", { input: { ...chat, provider: { only: ["cheap"] } } }],
  ])("are kept at %s", async (route, body) => {
    const answer = await mapped.post(route, body);
    expect(answer.status).toBe(200);
    expect(called()).toEqual(["cheap"]);
    expect(answer.headers.get("x-svc-ignored-params") ?? "").not.toContain("provider");
  });

  it.each([
    ["/messages", { messages: chat.messages, max_tokens: 5 }, "claude", claude],
    ["/responses", { input: "Hello" }, "answers", answers],
  ])(
    "are not forwarded from %s to an upstream that takes its body as it is",
    async (route, body, name, to) => {
      const asked = { ...body, model: "svc/chat-2", provider: { only: [name], require_parameters: true } };
      expect(await mapped.post(route, asked)).toMatchObject({ status: 200 });
      expect(to.seen.at(-1)?.json()).not.toHaveProperty("provider");
    },
  );

  it.each([
    ["/messages/count_tokens", { messages: chat.messages }],
    ["/responses/input_tokens", { input: "Hello" }],
  ])("choose who counts the tokens at %s, in the header and in the body", async (route, body) => {
    for (const [name, isCounted] of [
      ["claude", true],
      ["spare", false],
    ] as const) {
      const wish = { only: [name] };
      const asked = { ...body, model: "svc/chat-2" };
      const answers = [
        await mapped.post(route, asked, { "x-svc-provider": JSON.stringify(wish) }),
        await mapped.post(route, { ...asked, provider: wish }),
      ];
      for (const answer of answers)
        expect(answer.body).toMatchObject({
          svc_estimated: !isCounted,
          ...(isCounted && { input_tokens: 42 }),
        });
    }
  });

  it("are kept by media that start later", async () => {
    const made = { model: video, prompt: "waves", image: smallImage, duration: 5 };
    const wishes = { ignore: ["film"], require_parameters: true, sort: "latency" };
    const done = await mapped.run("/videos", { ...made, provider: wishes });
    expect(done.timeline.find(({ event }) => event === "provider_accepted")?.detail).toEqual({
      provider: "cinema",
    });
  });

  it("lead to the next model of an alias, where one has no such provider", async () => {
    const alias = { name: "pair", models: [model, "svc/chat-2"] };
    expect(await call(mapped.gateway, mapped.account.session, "POST", "/aliases", alias)).toMatchObject({
      status: 201,
    });
    const ask = (only: string) => error({ only: [only] }, { model: "pair" });
    for (const only of ["spare", "fast"]) expect(await ask(only)).toMatchObject({ status: 200 });
    expect(await ask("nobody")).toMatchObject({ code: "provider_not_available" });
    expect(called()).toEqual(["spare", "fast"]);
  });

  it("come after the regions of a key", async () => {
    const key = await mapped.gateway.createKey(mapped.account.accountId, { regions: ["us-oregon"] });
    const ask = (only: string[]) =>
      call(mapped.gateway, key, "POST", "/chat/completions", { ...chat, provider: { only } });
    expect((await ask(["far"])).body.error).toMatchObject({
      code: "provider_not_available",
      param: "provider.only",
    });
    expect((await ask(["far", "fast"])).status).toBe(200);
    expect(called()).toEqual(["fast"]);
  });

  it.each([
    [{ only: ["nobody"] }, "provider_not_available", "provider.only"],
    [{ ignore: ["usual", "cheap", "fast", "far"] }, "provider_not_available", "provider.ignore"],
    [{ max_price: { prompt: 0.1 } }, "provider_not_available", "provider.max_price"],
    [{ data_collection: "deny" }, "invalid_parameter", "provider.data_collection"],
    [{ zdr: true }, "invalid_parameter", "provider.zdr"],
    [{ quantizations: ["fp8"] }, "invalid_parameter", "provider.quantizations"],
    [{ preferred_max_latency: 1 }, "invalid_parameter", "provider.preferred_max_latency"],
    [{ ordre: ["usual"] }, "invalid_parameter", "provider.ordre"],
    [{ order: "usual" }, "invalid_parameter", "provider.order"],
    [{ only: [7] }, "invalid_parameter", "provider.only[0]"],
    [{ only: Array(51).fill("a") }, "invalid_parameter", "provider.only"],
    [{ sort: "size" }, "invalid_parameter", "provider.sort.by"],
    [{ sort: { by: "price", partition: "none" } }, "invalid_parameter", "provider.sort.partition"],
    [{ max_price: { prompt: "much" } }, "invalid_parameter", "provider.max_price.prompt"],
    [{ max_price: { prompt: -1 } }, "invalid_parameter", "provider.max_price.prompt"],
    [{ allow_fallbacks: "no" }, "invalid_parameter", "provider.allow_fallbacks"],
    ["usual", "invalid_parameter", "provider"],
  ])("are refused: %j", async (provider, code, param) => {
    expect(await error(provider)).toMatchObject({ status: 400, code, param });
    expect(called()).toEqual([]);
  });

  it("do not open the breaker of a model for callers who wish nothing", async () => {
    upstream.trouble(/chat/, { status: 503 }, 100);
    for (let times = 0; times < 10; times += 1) await error({ only: ["cheap"] });
    expect(new Set(called())).toEqual(new Set(["cheap"]));
    expect(mapped.gateway.context.catalog.model(model)?.healthy_regions).toContain("us-oregon");
  });
});
