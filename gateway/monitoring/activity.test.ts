import { beforeAll, describe, expect, it, vi } from "vitest";
import type { ActivityList } from "#contract/activity.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { startReplicateServer } from "#gateway/models/providers/testing/replicate-server.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { figureFoldSweep } from "#gateway/platform/figures/fold.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };

describe("figures over time", () => {
  const busy = shared(startOpenAiServer);
  const second = shared(startOpenAiServer);
  const jobs = shared(startReplicateServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        busy: providerAt(busy),
        second: providerAt(second),
        jobs: providerAt(jobs),
      },
      routes: [
        { models: ["svc/chat-1"], provider: "busy", upstream_model: "m", priority: 1 },
        { models: ["svc/chat-1"], provider: "second", upstream_model: "m", priority: 2 },
        { models: ["svc/adult-i2v-2"], provider: "jobs", upstream_model: "a/b" },
      ],
    }),
  );
  beforeAll(async () => {
    busy.trouble(/chat/, { status: 429, json: { error: { message: "Slow down" } } }, 3);
    for (let times = 0; times < 3; times += 1)
      expect((await mapped.post("/chat/completions", chat)).status).toBe(200);
    await mapped.post("/chat/completions", { ...chat, stream: true });
    expect((await mapped.post("/chat/completions", { ...chat, model: "no/such" })).status).toBe(404);
    await mapped.run("/videos", {
      model: "svc/adult-i2v-2",
      prompt: "waves",
      image: smallImage,
      duration: 5,
    });
    // The request log is written every half second, the figures of a prediction when it ends; the order is
    // not defined.
    await vi.waitFor(
      async () => {
        expect((await read("")).total).toMatchObject({ runs: 5, refused: 1 });
        expect((await groups("of=requests&group_by=status"))[202]).toEqual([1, 0]);
      },
      { timeout: 10_000, interval: 100 },
    );
  });

  const get = (query: string, bearer = mapped.account.key) =>
    call(mapped.gateway, bearer, "GET", `/activity?step=minute&${query}`);
  const read = async (query: string, bearer?: string) =>
    (await get(query, bearer)).body as unknown as ActivityList;
  const groups = async (query: string) =>
    Object.fromEntries((await read(query)).groups.map(({ group, runs, errors }) => [group, [runs, errors]]));

  it("counts runs and their errors by model, key and status, folded or not", async () => {
    for (const isFolded of [false, true]) {
      if (isFolded) await sweepAll(mapped.gateway.context, figureFoldSweep);
      expect(await groups("group_by=model")).toEqual({
        "svc/chat-1": [4, 0],
        "svc/adult-i2v-2": [1, 0],
        null: [0, 0],
      });
      expect(await groups("group_by=status")).toEqual({ 200: [5, 0], 404: [0, 0] });
      const { data, total } = await read("group_by=key");
      expect(data.reduce((sum, { runs }) => sum + runs, 0)).toBe(5);
      expect(total).toMatchObject({
        errors_by_code: [],
        refused_by_code: [{ code: "model_not_found", count: 1 }],
      });
      expect(total.latency_ms.p50).toBeGreaterThan(0);
      expect(total.first_token_ms.p50).toBeGreaterThan(0);
      expect(total.queue_ms.p50).toBeGreaterThan(0);
      expect(total.tokens_out).toBeGreaterThan(0);
    }
  });

  it("counts each attempt at an upstream, also failed ones before a failover", async () => {
    const found = await groups("group_by=provider");
    expect(found).toMatchObject({
      busy: [expect.any(Number), expect.any(Number)],
      second: [expect.any(Number), 0],
    });
    const [tries = 0, errors = 0] = found.busy ?? [];
    expect(errors).toBeGreaterThan(0);
    expect(tries - errors + (found.second?.[0] ?? 0)).toBe(4);
  });

  it("counts API requests, including the one that created a prediction", async () => {
    const found = await groups("of=requests&group_by=status");
    expect(found[202]).toEqual([1, 0]);
    expect((await read("of=requests&route=CHAT")).total.runs).toBe(5);
  });

  it("shows which upstreams a request tried, and how long each step took", async () => {
    const asked = await call(mapped.gateway, mapped.account.key, "GET", "/requests?status=200&limit=100");
    const ids = (asked.body.data as { id: string; model: string | null }[]).filter(({ model }) => model);
    const details = await Promise.all(
      ids.map(
        async ({ id }) => (await call(mapped.gateway, mapped.account.key, "GET", `/requests/${id}`)).body,
      ),
    );
    expect(details.length).toBe(4);
    const retried = details.find(({ failed_tries }) => (failed_tries as unknown[]).length > 0);
    expect(retried).toMatchObject({
      provider: "second",
      run_id: expect.stringMatching(/^gen_/),
      bytes_in: expect.any(Number),
      bytes_out: expect.any(Number),
      tokens_out: expect.any(Number),
      failed_tries: [{ provider: "busy", code: "upstream_rate_limited", status: 429, model: "svc/chat-1" }],
    });
    const streamed = details.find(({ first_ms }) => first_ms !== null) as Record<string, number>;
    expect(streamed.asked_ms).toBeLessThanOrEqual(streamed.first_ms ?? 0);
    expect(streamed.answered_ms).toBeLessThanOrEqual((streamed.duration_ms ?? 0) + 1);
    const stranger = await mapped.gateway.createAccount();
    const theirs = await call(mapped.gateway, stranger.key, "GET", `/requests/${ids[0]?.id}`);
    expect([theirs.status, (theirs.body.error as { code: string }).code]).toEqual([404, "request_not_found"]);
  });

  it("shows an account its own figures, and an operator all", async () => {
    const stranger = await mapped.gateway.createAccount();
    expect((await read("", stranger.key)).total.runs).toBe(0);
    const key = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    const all = await call(mapped.gateway, key, "GET", "/operator/activity?step=day&group_by=provider");
    expect((all.body as unknown as ActivityList).groups.map(({ group }) => group)).toContain("busy");
    expect((await call(mapped.gateway, mapped.account.key, "GET", "/operator/activity")).status).toBe(403);
    const webhooks = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["usage"] });
    expect((await get("of=deliveries", webhooks)).status).toBe(403);
  });

  it("refuses groupings that it cannot compute, with the reason", async () => {
    for (const [query, param] of [
      ["group_by=key&model=svc/chat-1", "model"],
      ["of=deliveries&group_by=model", "group_by"],
      ["from=2020-01-01T00:00:00Z", "step"],
      ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "from"],
      ["group_by=__proto__", "group_by"],
      ["modell=a", "modell"],
    ] as const) {
      const { status, body } = await get(query);
      expect([query, status, (body.error as { param: string }).param]).toEqual([query, 400, param]);
    }
    expect((await read("model=__proto__")).total.runs).toBe(0);
  });
});
