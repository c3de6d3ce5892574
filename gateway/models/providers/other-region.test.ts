import { beforeEach, describe, expect, it } from "vitest";
import { speechAudio } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { startMappedGateway } from "./testing/mapped-gateway.ts";
import { startOpenAiServer } from "./testing/openai-server.ts";
import type { Trouble } from "./testing/upstream-server.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
const video = { model: "svc/vid-t2v", prompt: "waves", duration: 5 };
const nobody = "http://127.0.0.1:9";

describe("an upstream that is unavailable in one region", () => {
  const first = shared(startOpenAiServer);
  const second = shared(startOpenAiServer);
  const env = { env: "TEST_UPSTREAM_KEY" };
  const provider = (regions: Record<string, string>, protocol = "openai") => ({
    protocol,
    credentials: Object.fromEntries(Object.keys(regions).map((region) => [region, env])),
    base_urls: Object.fromEntries(
      Object.entries(regions).map(([region, origin]) => [region, `${origin}/v1`]),
    ),
  });
  const asia = () => ({ "cn-beijing": first.origin, "sg-singapore": second.origin });
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        main: provider({ "us-oregon": first.origin, "us-virginia": second.origin }),
        dark: provider({ "us-oregon": nobody, "us-virginia": second.origin }),
        asia: provider(asia()),
        voices: provider(asia(), "dashscope"),
      },
      routes: [
        { models: ["svc/chat-1"], provider: "main", upstream_model: "words" },
        { models: ["svc/chat-2"], provider: "dark", upstream_model: "words" },
        { models: ["svc/vid-t2v", "svc/img-gen-a-1"], provider: "asia", upstream_model: "pictures" },
        { models: ["svc/voice-1"], provider: "voices", upstream_model: "voices" },
      ],
    }),
  );
  beforeEach(() => {
    first.seen.length = 0;
    second.seen.length = 0;
    mapped.gateway.context.health.pauses.clear();
  });

  // Failures that often pass are tried once more in the same region.
  const troubles: [string, Trouble, number][] = [
    ["503", { status: 503 }, 2],
    ["500", { status: 500 }, 2],
    ["reset", "reset", 2],
    ["429", { status: 429, headers: { "retry-after": "7" } }, 1],
  ];

  it.each(troubles)("fails over to the next region after a %s", async (_, trouble, times) => {
    first.trouble(/chat/, trouble, times);
    const answer = await mapped.post("/chat/completions", chat);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-svc-region")).toBe("us-virginia");
    expect(answer.body.svc_region).toBe("us-virginia");
    expect([first.seen.length, second.seen.length]).toEqual([times, 1]);
  });

  it("fails over to the next region when it refuses the connection", async () => {
    const answer = await mapped.post("/chat/completions", { ...chat, model: "svc/chat-2" });
    expect(answer.headers.get("x-svc-region")).toBe("us-virginia");
    expect(answer.status).toBe(200);
  });

  it("fails over before a stream began, and the request log shows the final region", async () => {
    first.trouble(/chat/, { status: 503 }, 2);
    const answer = await mapped.post("/chat/completions", { ...chat, stream: true });
    expect(answer.headers.get("x-svc-region")).toBe("us-virginia");
    expect(String(answer.body.text)).toContain('"svc_region":"us-virginia"');
    expect(String(answer.body.text)).not.toContain("us-oregon");
    await expect
      .poll(async () => {
        const { body } = await call(mapped.gateway, mapped.account.key, "GET", "/requests?limit=100");
        const id = answer.headers.get("x-request-id");
        return (body.data as { id: string; region: string }[]).find((row) => row.id === id)?.region;
      })
      .toBe("us-virginia");
  });

  it("does not fail over after a refused input, which would be refused elsewhere too", async () => {
    first.trouble(/chat/, { status: 400 });
    const answer = await mapped.post("/chat/completions", chat);
    expect(answer.status).toBe(400);
    expect(second.seen).toHaveLength(0);
  });

  it("does not fail over if the caller named the region", async () => {
    first.trouble(/chat/, { status: 503 }, 2);
    const answer = await mapped.post("/chat/completions", { ...chat, region: "us-oregon" });
    expect(answer.status).toBe(503);
    expect(second.seen).toHaveLength(0);
  });

  it("does not fail over to a region that the key may not use", async () => {
    first.trouble(/chat/, { status: 503 }, 2);
    const { accountId } = mapped.account;
    const key = await mapped.gateway.createKey(accountId, { regions: ["us-oregon"] });
    const answer = await call(mapped.gateway, key, "POST", "/chat/completions", chat);
    expect(answer.status).toBe(503);
    expect(second.seen).toHaveLength(0);
  });

  it("does not fail over for an operation that stores data in its region", async () => {
    first.trouble(/./, { status: 503 });
    const create = {
      action: "create",
      audio: speechAudio,
      preferred_name: "eve",
      target_model: "svc/tts-a-2",
    };
    const answer = await mapped.post("/audio/voices", { model: "svc/voice-1", ...create });
    expect(answer.status).toBe(503);
    expect(second.seen).toHaveLength(0);
  });

  it("returns the last error when all regions refuse", async () => {
    first.trouble(/chat/, { status: 503 }, 2);
    second.trouble(/chat/, { status: 429, headers: { "retry-after": "7" } });
    const answer = await mapped.post("/chat/completions", chat);
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("7");
  });

  it("starts a prediction in the next region, and its timeline shows it", async () => {
    first.trouble(/videos/, { status: 503 });
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "succeeded", svc_region: "sg-singapore" });
    const started = done.timeline.find(({ event }) => event === "started");
    expect(started?.detail).toEqual({ region: "sg-singapore", instead_of: "cn-beijing" });
    expect([first.created().length, second.created().length]).toEqual([1, 1]);
  });

  it("does not start a prediction again if the first region may have begun it", async () => {
    first.trouble(/videos/, "reset");
    const done = await mapped.run("/videos", video);
    expect(done).toMatchObject({ status: "failed", svc_region: "cn-beijing" });
    expect(second.seen).toHaveLength(0);
  });

  it("is not called while its deployment is unhealthy", async () => {
    first.trouble(/images/, { status: 503 }, 5);
    const image = { model: "svc/img-gen-a-1", prompt: "a boat", size: "512*512" };
    for (let times = 0; times < 5; times += 1) await mapped.post("/images/generations", image);
    expect([first.seen.length, second.seen.length]).toEqual([5, 5]);
    const answer = await mapped.post("/images/generations", image);
    expect(answer.headers.get("x-svc-region")).toBe("sg-singapore");
    expect(first.seen).toHaveLength(5);
  });
});
