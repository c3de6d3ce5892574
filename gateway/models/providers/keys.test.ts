import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { call } from "#gateway/testing/gateway.ts";
import { type MappedGateway, providerAt, startMappedGateway } from "./testing/mapped-gateway.ts";
import { type OpenAiServer, startOpenAiServer } from "./testing/openai-server.ts";
import { type ReplicateServer, startReplicateServer } from "./testing/replicate-server.ts";

const variables = { FIRST_TEST_KEY: "sk-first-test-key-0001", SECOND_TEST_KEY: "sk-second-test-key-0002" };
const messages = [{ role: "user", content: "Hello" }];
const first = { name: "first", env: "FIRST_TEST_KEY", share: 0 };
const second = { name: "second", env: "SECOND_TEST_KEY" };

describe("a provider with several keys in a region", () => {
  let llms: OpenAiServer;
  let jobs: ReplicateServer;
  let mapped: MappedGateway;
  beforeAll(async () => {
    Object.assign(process.env, variables);
    [llms, jobs] = [await startOpenAiServer(), await startReplicateServer()];
    const llm = (keys: object[]) => providerAt(llms, { credentials: { "us-virginia": { keys } } });
    mapped = await startMappedGateway({
      providers: {
        both: llm([second, first]),
        narrow: llm([
          { ...second, concurrency: 1 },
          { ...first, per_minute: 1 },
        ]),
        jobs: {
          protocol: "replicate",
          base_url: jobs.origin,
          credentials: { "us-virginia": { keys: [first, second] } },
        },
        alone: providerAt(llms, { credentials: { "us-virginia": { env: "FIRST_TEST_KEY" } } }),
      },
      routes: [
        { models: ["svc/chat-1"], provider: "both", upstream_model: "main", go_on_when: ["down"] },
        { models: ["svc/chat-1"], provider: "alone", upstream_model: "spare", priority: 1 },
        { models: ["svc/chat-2"], provider: "narrow", upstream_model: "main" },
        { models: ["svc/adult-i2v-2"], provider: "jobs", upstream_model: "a/b" },
      ],
    });
  });
  afterAll(async () => {
    await mapped.close();
    for (const server of [llms, jobs]) await server.close();
    for (const name of Object.keys(variables)) delete process.env[name];
  });
  beforeEach(() => {
    llms.seen.length = 0;
    jobs.seen.length = 0;
  });
  const chat = (model = "svc/chat-1", more: object = {}) =>
    mapped.post("/chat/completions", { model, messages, ...more });
  const keysSeen = (server: { seen: { headers: { authorization?: string | undefined } }[] }) =>
    server.seen.map(({ headers }) => (headers.authorization?.includes("second") ? "second" : "first"));

  it("continues with the next key when one is refused, and no longer uses that one", async () => {
    llms.trouble(/chat/, {
      status: 401,
      json: { error: { message: `Incorrect API key ${variables.SECOND_TEST_KEY}` } },
    });
    expect((await chat()).status).toBe(200);
    expect((await chat("svc/chat-1", { stream: true })).status).toBe(200);
    expect((await chat()).status).toBe(200);
    expect(keysSeen(llms)).toEqual(["second", "first", "first", "first"]);
    expect(mapped.gateway.logLines.join()).not.toContain(variables.SECOND_TEST_KEY);
    const { keyRing } = mapped.gateway.context.providers;
    expect(keyRing("both", "us-virginia")?.asideOf("second")?.failure.message).toContain("credentials");
    // At another provider the same key text counts as a different key.
    expect(keyRing("narrow", "us-virginia")?.asideOf("second")).toBeNull();
  });

  it("keeps using the keys when the upstream itself is down, and tries the next route if the failure is among its reasons", async () => {
    llms.trouble(/chat/, { status: 503 }, 2);
    expect((await chat()).status).toBe(200);
    expect(llms.seen.map((seen) => seen.json().model)).toEqual(["main", "main", "spare"]);
  });

  it("reports when to retry once every key is at its limit, and calls neither the upstream nor a route that excludes rate limits", async () => {
    llms.trouble(/chat/, { status: 429, headers: { "retry-after": "30" } });
    const limited = await chat();
    expect(limited).toMatchObject({ status: 429, body: { error: { code: "upstream_rate_limited" } } });
    const again = await chat();
    expect(again.status).toBe(429);
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(20);
    expect(llms.seen).toHaveLength(1);
  });

  it("respects each key's limits of parallel calls and calls per minute", async () => {
    const asked = llms.next(/chat/);
    llms.trouble(/chat/, "silence");
    const leaving = new AbortController();
    const hanging = fetch(`${mapped.gateway.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "svc/chat-2", messages }),
      signal: leaving.signal,
    }).catch(() => null);
    await asked;
    expect((await chat("svc/chat-2")).status).toBe(200);
    expect(await chat("svc/chat-2")).toMatchObject({
      status: 429,
      body: { error: { code: "upstream_rate_limited", message: expect.stringContaining("All keys") } },
    });
    expect(keysSeen(llms)).toEqual(["second", "first"]);
    leaving.abort();
    await hanging;
    await expect.poll(async () => (await chat("svc/chat-2")).status).toBe(200);
    expect(keysSeen(llms).at(-1)).toBe("second");
  });

  it("polls and cancels a job with the key that started it", async () => {
    jobs.trouble(/./, { status: 402, json: { detail: "Insufficient credit" } });
    const video = { model: "svc/adult-i2v-2", prompt: "waves", image: smallImage, duration: 5 };
    const done = await mapped.run("/videos", video);
    expect(done.status).toBe("succeeded");
    const [refused, ...rest] = keysSeen(jobs);
    expect([refused, ...new Set(rest)]).toEqual(["second", "first"]);
    expect(rest.length).toBeGreaterThan(1);
  });
});

describe("a provider with more keys than a request has tries, all at their limit", () => {
  const names = Array.from({ length: 10 }, (_, at) => `MANY_TEST_KEY_${at}`);
  const tries = 6;
  let full: OpenAiServer;
  let spare: OpenAiServer;
  let mapped: MappedGateway;
  beforeAll(async () => {
    for (const name of names) process.env[name] = `sk-${name.toLowerCase()}-0001`;
    [full, spare] = [await startOpenAiServer(), await startOpenAiServer()];
    const many = () =>
      providerAt(full, {
        credentials: { "us-virginia": { keys: names.map((env) => ({ name: env, env })) } },
      });
    const single = () => providerAt(spare, { credentials: { "us-virginia": { env: names[0] } } });
    mapped = await startMappedGateway({
      providers: {
        "beside-route": many(),
        alone: many(),
        route: single(),
      },
      routes: [
        { models: ["svc/chat-1"], provider: "beside-route", upstream_model: "main" },
        { models: ["svc/chat-1"], provider: "route", upstream_model: "spare", priority: 1 },
        { models: ["svc/chat-2"], provider: "alone", upstream_model: "main" },
      ],
    });
    const alias = { name: "either", models: ["svc/chat-2", "svc/chat-1"] };
    const made = await call(mapped.gateway, mapped.account.session, "POST", "/aliases", alias);
    expect(made.status).toBe(201);
  });
  afterAll(async () => {
    await mapped.close();
    for (const server of [full, spare]) await server.close();
    for (const name of names) delete process.env[name];
  });
  beforeEach(async () => {
    // The keys rest for a second.
    const { keyRing } = mapped.gateway.context.providers;
    const isRested = () =>
      ["beside-route", "alone"].every((name) => keyRing(name, "us-virginia")?.free().length === names.length);
    await expect.poll(isRested, { timeout: 10_000 }).toBe(true);
    for (const server of [full, spare]) server.seen.length = 0;
    full.trouble(/chat/, { status: 429 }, 100);
  });

  it.each([
    ["the next route is asked", "svc/chat-1", false, [tries - 1, 1]],
    ["the next route is asked, for a stream", "svc/chat-1", true, [tries - 1, 1]],
    ["each of the other routes and models is asked", "either", false, [tries - 1, 1]],
  ])("%s", async (_, model, stream, calls) => {
    const { status } = await mapped.post("/chat/completions", { model, messages, stream });
    expect([status, full.seen.length, spare.seen.length]).toEqual([200, ...calls]);
  });

  it("all tries go to its keys if nothing else could be asked", async () => {
    const answer = await mapped.post("/chat/completions", { model: "svc/chat-2", messages });
    expect([answer.status, full.seen.length, spare.seen.length]).toEqual([429, tries, 0]);
  });
});
