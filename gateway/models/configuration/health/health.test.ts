import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DeploymentHealth } from "#contract/operator/health.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
const video = { model: "svc/adult-i2v-2", prompt: "waves", image: smallImage, duration: 5 };

describe("the health of upstreams", () => {
  let key: string;
  const first = shared(startOpenAiServer);
  const second = shared(startOpenAiServer);
  const jobs = shared(startReplicateServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        first: providerAt(first),
        second: providerAt(second),
        jobs: providerAt(jobs),
      },
      routes: [
        { models: ["svc/chat-1"], provider: "first", upstream_model: "m", priority: 1 },
        { models: ["svc/chat-1"], provider: "second", upstream_model: "m", priority: 2 },
        { models: ["svc/adult-i2v-2"], provider: "jobs", upstream_model: "a/b" },
      ],
    }),
  );
  beforeAll(async () => {
    key = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
  });
  beforeEach(() => {
    for (const server of [first, second, jobs]) server.seen.length = 0;
  });

  const read = async () => {
    const { body } = await call(mapped.gateway, key, "GET", "/operator/health?minutes=15");
    return body.data as DeploymentHealth[];
  };
  const of = async (provider: string) => {
    const found = (await read()).find((one) => one.provider === provider);
    if (!found) throw new Error(`nothing is known of ${provider}`);
    return found;
  };

  it("has no figures before anything ran, and calls no upstream", async () => {
    const nothing = { runs: 0, errors: 0, error_rate: null, queued: 0, running: 0, last_failure: null };
    expect(await read()).toMatchObject([
      {
        provider: "first",
        model: "svc/chat-1",
        managed_by: "file",
        api_types: ["chat-completions"],
        ...nothing,
      },
      { provider: "jobs", ...nothing },
      { provider: "second", ...nothing },
    ]);
    expect([first, second, jobs].flatMap(({ seen }) => seen)).toEqual([]);
  });

  it("shows the upstream's message, where it failed and where it worked", async () => {
    const headers = {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "6m0s",
    };
    first.trouble(/chat/, { status: 503, headers, json: { error: { message: "Overloaded, come back" } } }, 2);
    expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
    await mapped.post("/chat/completions", { ...chat, stream: true });
    // The request log is written every half second.
    await expect.poll(async () => (await of("second")).runs, { timeout: 10_000 }).toBe(1);
    // Failed attempts count, although the second upstream answered.
    await expect.poll(async () => (await of("first")).runs, { timeout: 10_000 }).toBe(3);
    expect(await of("second")).toMatchObject({
      errors: 0,
      error_rate: 0,
      last_success_at: expect.any(String),
      last_failure: null,
      latency_ms: { p50: expect.any(Number), p95: expect.any(Number) },
    });
    expect(await of("first")).toMatchObject({
      last_success_at: expect.any(String),
      last_failure: { code: "service_unavailable", message: "HTTP 503 Overloaded, come back" },
      errors: 2,
      breaker: { status: "degraded" },
      rate_limit: { limit_requests: 60, remaining_requests: 0, reset_requests: "6m0s", limit_tokens: null },
    });
  });

  it("shows a breaker that is open, and failures that reach the client", async () => {
    // Two attempts for each of five requests, and one more after the second upstream failed.
    first.trouble(/chat/, { status: 503 }, 11);
    for (let times = 0; times < 5; times += 1) await mapped.post("/chat/completions", chat);
    second.trouble(/chat/, { status: 500, json: { error: { message: "Internal" } } }, 2);
    expect((await mapped.post("/chat/completions", chat)).status).toBe(503);
    expect((await of("first")).breaker).toEqual({ status: "unhealthy", open_until: expect.any(String) });
    await expect.poll(async () => (await of("second")).errors, { timeout: 10_000 }).toBe(2);
    expect((await of("second")).breaker).toEqual({ status: "degraded", open_until: null });
    expect((await of("second")).last_failure).toMatchObject({
      code: "upstream_error",
      message: "HTTP 500 Internal",
    });
  });

  it("counts predictions under the provider that ran them, and waiting ones", async () => {
    jobs.trouble(/predictions$/, { status: 401, json: { detail: "Unauthenticated" } });
    expect((await mapped.run("/videos", video)).status).toBe("failed");
    expect((await mapped.run("/videos", video)).status).toBe("succeeded");
    expect(await of("jobs")).toMatchObject({
      runs: 2,
      errors: 1,
      error_rate: 0.5,
      queued: 0,
      last_success_at: expect.any(String),
      last_failure: { code: "upstream_error", message: "HTTP 401 Unauthenticated" },
    });
  });
});
