import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type ModelMessage } from "ai";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RouteEntry } from "#contract/operator/routes.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { sessionHeaders } from "#gateway/platform/http/session-headers.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const names = ["a", "b", "c", "d"] as const;
const variableOf = (name: string) => `AFFINITY_TEST_KEY_${name.toUpperCase()}`;
for (const name of names) process.env[variableOf(name)] = `sk-affinity-key-${name}`;
const keys = names.map((name) => ({ name, env: variableOf(name) }));
const model = "svc/chat-1";
const conversations = 10;
const turns = 4;
/** A beginning that all conversations share. */
const same = [{ role: "user", content: "Hello" }];

/** A turn of a conversation: what a client sends, and in which headers. */
type Client = (conversation: number, turn: number) => { body: object; headers?: Record<string, string> };

const growing: Client = (conversation, turn) => ({
  body: {
    model,
    messages: [
      { role: "system", content: `You are number ${conversation}.` },
      ...Array.from({ length: turn + 1 }, (_, at) => [
        { role: "user", content: [{ type: "text", text: `Turn ${at}`, ...(at === turn && marked) }] },
        { role: "assistant", content: `Answer ${at}` },
      ]).flat(),
    ],
  },
});
const marked = { cache_control: { type: "ephemeral" } };
const session = (conversation: number) => `0b3f0cf2-6f1a-4e6e-8f63-00000000000${conversation}`;

const clients: Record<string, Client> = {
  ...Object.fromEntries(
    sessionHeaders.map((name) => [
      `the header ${name}`,
      (one: number, turn: number) => ({
        body: { model, messages: [{ role: "user", content: `Turn ${turn}` }] },
        headers: { [name]: session(one) },
      }),
    ]),
  ),
  prompt_cache_key: (one) => ({ body: { model, messages: same, prompt_cache_key: session(one) } }),
  "the session of Claude Code": (one, turn) => ({
    body: {
      model,
      messages: same,
      user: turn % 2 === 0 ? `user_1_account__session_${session(one)}` : `{"session_id":"${session(one)}"}`,
    },
  }),
  "its beginning": growing,
  "its beginning, with a key and user that all of them send": (one, turn) => {
    const { body } = growing(one, turn);
    return { body: { ...body, prompt_cache_key: "my-app", user: "service" } };
  },
};

describe("a conversation", () => {
  const upstream = shared(startOpenAiServer);
  const many = () => providerAt(upstream, { credentials: { "us-virginia": { keys } } });
  const mapped = shared(() =>
    startMappedGateway({
      providers: { one: many(), other: many(), anew: many() },
      routes: [
        { models: [model], provider: "one", upstream_model: "main", weight: 1 },
        { models: [model], provider: "other", upstream_model: "twin", weight: 1 },
        { models: ["svc/chat-2"], provider: "anew", upstream_model: "main", affinity: "off" },
      ],
    }),
  );
  beforeEach(() => {
    upstream.seen.length = 0;
  });
  /** The upstream model and key of the last request. */
  const place = () => {
    const seen = upstream.seen.at(-1);
    return `${seen?.json().model} ${seen?.headers.authorization?.slice(-1)}`;
  };
  const placeOf = async (body: object, headers: Record<string, string> = {}, path = "/chat/completions") => {
    expect(await mapped.post(path, body, headers)).toMatchObject({ status: 200 });
    return place();
  };
  const placesOf = async (client: Client) => {
    const places: string[] = [];
    for (let one = 0; one < conversations; one += 1) {
      const own = new Set<string>();
      for (let turn = 0; turn < turns; turn += 1) {
        const { body, headers } = client(one, turn);
        own.add(await placeOf(body, headers));
      }
      expect([...own], `conversation ${one}`).toHaveLength(1);
      places.push(...own);
    }
    return new Set(places);
  };

  it.each(Object.entries(clients))("stays with one route and key by %s", async (_, client) => {
    expect((await placesOf(client)).size).toBeGreaterThan(1);
  });

  it("stays by the first turn of its chain, whatever the instructions of a turn", async () => {
    const places = new Set<string>();
    for (let one = 0; one < conversations; one += 1) {
      const own = new Set<string>();
      let previous: unknown = null;
      for (let turn = 0; turn < turns; turn += 1) {
        const body = {
          ...{ model, input: `Hello ${one}`, instructions: `Turn ${turn}` },
          previous_response_id: previous,
        };
        const { status, body: response } = await mapped.post("/responses", body);
        expect(status).toBe(200);
        previous = response.id;
        own.add(place());
      }
      expect([...own]).toHaveLength(1);
      places.add(place());
    }
    expect(places.size).toBeGreaterThan(2);
  });

  it("stays in the loops of the AI SDK, which sends the whole conversation at each turn of Responses", async () => {
    const { url } = mapped.gateway;
    const settings = { baseURL: url, apiKey: mapped.account.key };
    const places = new Set<string>();
    for (let one = 0; one < conversations; one += 1)
      for (const sdk of [
        createOpenAI(settings)(model),
        createOpenAICompatible({ ...settings, name: "gw" })(model),
      ]) {
        const own = new Set<string>();
        const prompt: ModelMessage[] = [{ role: "user", content: `Hello ${one}` }];
        for (let turn = 0; turn < turns; turn += 1) {
          const { response } = await generateText({
            model: sdk,
            instructions: "Be brief.",
            messages: prompt,
          });
          prompt.push(...response.messages, { role: "user", content: `Turn ${turn}` });
          own.add(place());
        }
        expect([...own]).toHaveLength(1);
        places.add(place());
      }
    expect(places.size).toBeGreaterThan(2);
  });

  it("stays as Messages, too", async () => {
    const turn = (at: number) => ({
      model,
      max_tokens: 5,
      system: "Be brief.",
      messages: [...same, { role: "assistant", content: "Hi." }, { role: "user", content: `Turn ${at}` }],
    });
    const first = await placeOf(turn(0), {}, "/messages");
    for (const at of [1, 2, 3, 4, 5, 6]) expect(await placeOf(turn(at), {}, "/messages")).toBe(first);
  });

  it("is another one for another account", async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => mapped.gateway.createAccount()));
    const places = new Set<string>();
    for (const { key } of accounts) {
      await call(mapped.gateway, key, "POST", "/chat/completions", { model, messages: same });
      places.add(place());
    }
    expect(places.size).toBeGreaterThan(1);
  });

  it.each([
    ["the caller wants that", { model, messages: same }, { "x-svc-affinity": "none" }],
    ["its route says so", { model: "svc/chat-2", messages: same }, { "x-svc-affinity": "mine" }],
  ])("is drawn anew for each request if %s", async (_, body, headers) => {
    const places = new Set<string>();
    for (let turn = 0; turn < 24; turn += 1) places.add(await placeOf(body, headers));
    expect(places.size).toBeGreaterThan(2);
  });

  it("leaves a key that is refused or limited, without an error", async () => {
    const headers = { "x-svc-affinity": "limited" };
    const favourite = await placeOf({ model, messages: same }, headers);
    upstream.trouble(/chat/, { status: 429, headers: { "retry-after": "1" } });
    const next = await placeOf({ model, messages: same }, headers);
    expect(next).not.toBe(favourite);
    await expect.poll(() => placeOf({ model, messages: same }, headers), { timeout: 5_000 }).toBe(favourite);
  });

  it("is explained in the story of each request, and counted", async () => {
    const story = async (headers: Record<string, string>) => {
      const { headers: answer } = await mapped.post("/chat/completions", { model, messages: same }, headers);
      const path = `/requests/${answer.get("x-request-id")}`;
      await expect
        .poll(async () => (await call(mapped.gateway, mapped.account.key, "GET", path)).status)
        .toBe(200);
      const { body } = await call(mapped.gateway, mapped.account.key, "GET", path);
      return body.upstream_key as { name: string; chosen: string };
    };
    const headers = { "x-svc-affinity": "told" };
    const own = await story(headers);
    expect(own).toEqual({ name: place().at(-1), chosen: "stays" });
    expect(await story({ "x-svc-affinity": "none" })).toMatchObject({ chosen: "drawn" });
    upstream.trouble(/chat/, { status: 429, headers: { "retry-after": "1" } });
    const moved = await story(headers);
    expect(moved.chosen).toBe("favourite_resting");
    expect(moved.name).not.toBe(own.name);
    const counted = counters.keyChoices.values().map(({ labels }) => labels.choice);
    expect(new Set(counted)).toEqual(new Set(["stays", "drawn", "favourite_resting"]));
    const prompts = counters.promptTokens.values().filter(({ labels }) => labels.provider === "one");
    expect(prompts.map(({ labels, value }) => [labels.cached, value > 0])).toEqual([
      ["yes", false],
      ["no", true],
    ]);
  });

  it("keeps its name from the upstream and from the log", async () => {
    const secrets = sessionHeaders.map((name, at) => [name, `secret-session-${at}`] as const);
    for (const [name, value] of secrets) await placeOf({ model, messages: same }, { [name]: value });
    for (const { headers } of upstream.seen)
      for (const name of sessionHeaders) expect(headers[name]).toBeUndefined();
    expect(mapped.gateway.logLines.join()).not.toContain("secret-session");
  });
});

describe("a conversation whose route is taken away", () => {
  let operator: string;
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() =>
    startMappedGateway({ providers: { one: providerAt(upstream), other: providerAt(upstream) }, routes: [] }),
  );
  const routeTo = (provider: string): RouteEntry => ({
    models: [model],
    provider,
    upstream_model: provider,
    weight: 1,
  });
  const put = async (routes: RouteEntry[]) =>
    expect(await call(mapped.gateway, operator, "PUT", "/operator/routes", { routes })).toMatchObject({
      status: 200,
    });
  beforeAll(async () => {
    operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
  });

  it("continues on the other, and returns when its own is there again", async () => {
    const ask = async () => {
      await mapped.post("/chat/completions", { model, messages: same });
      return String(upstream.seen.at(-1)?.json().model);
    };
    await put([routeTo("one"), routeTo("other")]);
    const favourite = await ask();
    const other = favourite === "one" ? "other" : "one";
    await put([routeTo(other)]);
    for (const _ of [1, 2, 3]) expect(await ask()).toBe(other);
    await put([routeTo("one"), routeTo("other")]);
    expect(await ask()).toBe(favourite);
  });
});
