import { beforeEach, describe, expect, it } from "vitest";
import { smallImage, speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { providerAt, startMappedGateway, writeProvidersFile } from "./testing/mapped-gateway.ts";
import { startOpenAiServer } from "./testing/openai-server.ts";
import { startReplicateServer } from "./testing/replicate-server.ts";

const messages = [{ role: "user", content: "Hello" }];
const chat = { model: "svc/chat-1", messages };
const nobody = "http://127.0.0.1:9";

describe("the routing of operations to upstreams", () => {
  const first = shared(startOpenAiServer);
  const second = shared(startOpenAiServer);
  const jobs = shared(startReplicateServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        first: providerAt(first),
        second: providerAt(second),
        absent: providerAt({ origin: nobody }),
        jobs: providerAt(jobs),
        "absent-jobs": providerAt({ origin: nobody, protocol: "replicate" }),
      },
      routes: [
        { models: ["svc/chat-1"], provider: "second", upstream_model: "spare", priority: 2 },
        { models: ["svc/chat-1"], provider: "first", upstream_model: "main", priority: 1 },
        { models: ["svc/chat-2"], provider: "second", upstream_model: "main", next_after_500: true },
        { models: ["svc/chat-2"], provider: "first", upstream_model: "spare", priority: 1 },
        { models: ["svc/asr-3"], provider: "absent", upstream_model: "ears" },
        { models: ["svc/adult-i2v-2"], provider: "absent-jobs", upstream_model: "a/b", priority: 1 },
        { models: ["svc/adult-i2v-2"], provider: "jobs", upstream_model: "a/b", priority: 2 },
      ],
    }),
  );

  it("tries the next provider after a 500 if the route allows it, also for a stream, but not after a job was accepted", async () => {
    for (const stream of [false, true]) {
      second.trouble(/chat/, { status: 500 }, 2);
      const answer = await mapped.post("/chat/completions", { ...chat, model: "svc/chat-2", stream });
      expect(answer.status).toBe(200);
    }
    expect(second.seen.map((request) => request.json().model)).toEqual(["main", "main", "main", "main"]);
    expect(first.seen.map((request) => request.json().model)).toEqual(["spare", "spare"]);
  });

  beforeEach(() => {
    for (const server of [first, second, jobs]) server.seen.length = 0;
  });

  it("tries providers by priority", async () => {
    expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
    expect([first.seen.length, second.seen.length]).toEqual([1, 0]);
  });

  const tooLong = { status: 400, json: { error: { code: "context_length_exceeded", message: "too long" } } };

  // Failures that often pass are tried once more at the same upstream.
  it.each([
    [{ status: 503 }, 2],
    [{ status: 500 }, 2],
    ["reset", 2],
    [{ status: 429 }, 1],
    [{ status: 401 }, 1],
    [tooLong, 1],
  ] as const)("fails over after %j, with the first one called %i times", async (trouble, times) => {
    first.trouble(/chat/, trouble, times);
    const answer = await mapped.post("/chat/completions", chat);
    expect(answer.status).toBe(200);
    expect([first.seen.length, second.seen.length]).toEqual([times, 1]);
    expect(second.at(0).json().model).toBe("spare");
  });

  it("logs one line for a 429 that a failover resolved, and a refused input without its text", async () => {
    const linesOf = async (trouble: Parameters<typeof first.trouble>[1], status: number) => {
      first.trouble(/chat/, trouble);
      const answer = await mapped.post("/chat/completions", chat);
      expect(answer.status).toBe(status);
      const id = answer.headers.get("x-request-id");
      return mapped.gateway.logLines.filter((line) => {
        const { level, request_id } = JSON.parse(line);
        return level >= 40 && request_id === id;
      });
    };
    const cured = await linesOf({ status: 429 }, 200);
    expect(cured.map((line) => JSON.parse(line).err)).toEqual([
      { type: "ProviderError", code: "upstream_rate_limited", started: "no" },
    ]);
    const refused = await linesOf({ status: 400, json: { error: { message: "No voice my-secret" } } }, 400);
    expect(refused).toHaveLength(1);
    expect(refused[0]).not.toMatch(/stack/);
    expect(mapped.gateway.logLines.join()).not.toMatch(/my-secret/);
  });

  it("does not fail over after a refused input", async () => {
    first.trouble(/chat/, { status: 400 });
    const answer = await mapped.post("/chat/completions", chat);
    expect(answer.status).toBe(400);
    expect(second.seen).toHaveLength(0);
  });

  it("fails over a stream before its first byte", async () => {
    first.trouble(/chat/, { status: 503 }, 2);
    const answer = await mapped.post("/chat/completions", { ...chat, stream: true });
    expect(String(answer.body.text)).toContain("[DONE]");
    expect(second.seen).toHaveLength(1);
  });

  it("does not call an upstream again before its Retry-After time", async () => {
    const { pauses } = mapped.gateway.context.health;
    first.trouble(/chat/, { status: 429, headers: { "retry-after": "55" } });
    for (let times = 0; times < 3; times += 1)
      expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
    expect([first.seen.length, second.seen.length]).toEqual([1, 3]);

    second.trouble(/chat/, { status: 503, headers: { "retry-after": "600" } });
    await mapped.post("/chat/completions", chat);
    const refused = await mapped.post("/chat/completions", chat);
    expect(refused.body.error).toMatchObject({ code: "upstream_rate_limited" });
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(55);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1);
    expect([first.seen.length, second.seen.length]).toEqual([1, 4]);
    pauses.clear();
    expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
    expect(first.seen).toHaveLength(2);
  });

  it("starts a job at the next upstream when the first cannot be reached, once", async () => {
    const video = { model: "svc/adult-i2v-2", prompt: "waves", image: smallImage, duration: 5 };
    const done = await mapped.run("/videos", video);
    expect(done.status).toBe("succeeded");
    expect(done.timeline.find(({ event }) => event === "provider_accepted")?.detail).toEqual({
      provider: "jobs",
    });
    expect(jobs.created()).toHaveLength(1);
  });

  it("tries an upstream with an open breaker last", async () => {
    first.trouble(/chat/, { status: 503 }, 10);
    for (let times = 0; times < 5; times += 1) await mapped.post("/chat/completions", chat);
    first.seen.length = 0;
    await mapped.post("/chat/completions", chat);
    expect([first.seen.length, second.seen.length]).toEqual([0, 6]);
  });

  it("never runs a mapped operation on the sandbox, in any region", async () => {
    const elsewhere = await mapped.post("/chat/completions", { ...chat, region: "us-oregon" });
    expect(elsewhere.body.error).toMatchObject({ code: "region_not_available", param: "region" });
    const broken = await mapped.post("/audio/transcriptions", { model: "svc/asr-3", audio: speechAudio });
    expect(broken.status).toBe(503);
    expect(broken.headers.get("x-svc-sandbox")).toBeNull();
  });

  it("offers only regions where a provider runs the model", async () => {
    const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/models/svc/chat-1");
    expect(body).toMatchObject({ healthy_regions: ["us-virginia"] });
  });

  it("runs unmapped operations on the sandbox", async () => {
    const answer = await mapped.post("/images/generations", {
      model: "svc/img-gen-a-2",
      prompt: "A pine",
      size: "512*512",
    });
    expect(answer.headers.get("x-svc-sandbox")).toBe("true");
  });

  it("opens the deployment's breaker when all upstreams fail", async () => {
    for (let times = 0; times < 5; times += 1)
      await mapped.post("/audio/transcriptions", { model: "svc/asr-3", audio: speechAudio });
    const answer = await mapped.post("/audio/transcriptions", { model: "svc/asr-3", audio: speechAudio });
    expect(answer.body.error).toMatchObject({ code: "no_healthy_region" });
    // The time until the 30-second breaker lets a request probe.
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(5);
  });
});

describe("a gateway without the sandbox", () => {
  it("refuses unmapped operations", async () => {
    const providersFile = writeProvidersFile({ unmapped: "refuse", providers: {}, routes: [] });
    const gateway = await startTestGateway({ providersFile });
    const { key } = await gateway.createAccount();
    const answer = await call(gateway, key, "POST", "/chat/completions", chat);
    expect(answer.body.error).toMatchObject({ code: "service_unavailable" });
    const { body } = await call(gateway, key, "GET", "/models/svc/chat-1");
    expect(body).toMatchObject({ healthy_regions: [], gateway_status: "unavailable" });
    await gateway.close();
  });
});
