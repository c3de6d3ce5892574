import { afterEach, describe, expect, it, vi } from "vitest";
import { keyIn, providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
const failuresToOpen = 5;
/** Longer than a breaker's first open time. */
const laterMs = 31_000;

describe("an upstream that failed and works again", () => {
  const upstream = shared(startOpenAiServer);
  const mapped = shared(() =>
    startMappedGateway({
      providers: {
        only: providerAt(upstream, { credentials: keyIn("us-oregon") }),
      },
      routes: [{ models: ["svc/chat-1"], provider: "only", upstream_model: "words" }],
    }),
  );
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Opens the breaker and waits until one request may probe. */
  async function failThenWait(): Promise<void> {
    const { catalog } = mapped.gateway.context;
    for (let failure = 0; failure < failuresToOpen; failure += 1)
      catalog.report("svc/chat-1", "us-oregon", "failure");
    expect((await mapped.post("/chat/completions", chat)).body.error).toMatchObject({
      code: "no_healthy_region",
    });
    vi.useFakeTimers({ now: Date.now() + laterMs, toFake: ["Date"] });
  }

  const keyWith = (limits: object) => mapped.gateway.createKey(mapped.account.accountId, limits);
  /** Requests that end before the upstream is called, or whose result does not show whether it is healthy. */
  const waysOut: [string, () => Promise<unknown>][] = [
    ["an empty Idempotency-Key", () => mapped.post("/chat/completions", chat, { "idempotency-key": "" })],
    [
      "a replayed Idempotency-Key",
      () => mapped.post("/chat/completions", chat, { "idempotency-key": "made-before" }),
    ],
    [
      "another body under a used Idempotency-Key",
      () =>
        mapped.post("/chat/completions", { ...chat, temperature: 0.5 }, { "idempotency-key": "made-before" }),
    ],
    [
      "a budget that is used up",
      async () => {
        const key = await keyWith({ monthly_budget: { token: 1 } });
        return call(mapped.gateway, key, "POST", "/chat/completions", chat);
      },
    ],
    [
      "a check of a batch",
      () => mapped.post("/batches/check", { model: "svc/chat-1", rows: [{ messages: chat.messages }] }),
    ],
    [
      "a rate limit of the upstream",
      () => {
        upstream.trouble(/chat/, { status: 429 });
        return mapped.post("/chat/completions", chat);
      },
    ],
    [
      "a client that leaves while the upstream answers",
      async () => {
        upstream.trouble(/chat/, "silence");
        upstream.seen.length = 0;
        const left = new AbortController();
        const asked = fetch(`${mapped.gateway.url}/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${mapped.account.key}`, "content-type": "application/json" },
          body: JSON.stringify(chat),
          signal: left.signal,
        }).catch(() => null);
        await upstream.next(/chat/);
        left.abort();
        await asked;
      },
    ],
  ];

  it.each(waysOut)("is tried again by the next request after %s", async (_, wayOut) => {
    await mapped.post("/chat/completions", chat, { "idempotency-key": "made-before" });
    await failThenWait();
    await wayOut();
    await vi.waitFor(async () => expect((await mapped.post("/chat/completions", chat)).status).toBe(200));
  });

  it("a row of a batch that loses the probe to another request waits for its turn", async () => {
    upstream.seen.length = 0;
    vi.spyOn(mapped.gateway.context.catalog, "enter").mockReturnValueOnce(null);
    const rows = [{ messages: chat.messages }];
    const { body } = await mapped.post("/batches", { model: "svc/chat-1", rows });
    await vi.waitFor(async () => {
      const { gateway, account } = mapped;
      const now = await call(gateway, account.key, "GET", `/batches/${body.id}`);
      expect(now.body).toMatchObject({ status: "finished" });
      expect(now.body.counts).toMatchObject({ succeeded: 1, failed: 0 });
    });
    expect(upstream.created()).toHaveLength(1);
  });
});
