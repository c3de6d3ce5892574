import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import {
  sendJson,
  startUpstream,
  type UpstreamServer,
} from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";

const text = "Blue light scatters most.";
const messages = [{ role: "user", content: "Why is the sky blue?" }];
const chat = {
  system_fingerprint: "fp_1",
  choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
};
/** The whole answer of an upstream that knows no streams, in each protocol. */
const answers: Record<string, object> = {
  openai: chat,
  dashscope: chat,
  anthropic: {
    type: "message",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage: { input_tokens: 9, output_tokens: 5 },
  },
  "openai-responses": {
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text }] }],
    usage: { input_tokens: 9, output_tokens: 5 },
  },
};
/** How long the route remembers that its upstream does not stream. */
const rememberedMs = 600_000;

describe.each(Object.keys(answers))("an upstream of %s that answers JSON to a stream", (protocol) => {
  const upstream = shared(() => startUpstream((_seen, response) => sendJson(response, answers[protocol])));
  const spare = shared(() => startUpstream((_seen, response) => sendJson(response, chat)));
  const provider = (name: string, { origin }: UpstreamServer) => providerAt({ origin }, { protocol: name });
  const mapped = shared(() =>
    startMappedGateway({
      providers: { first: provider(protocol, upstream), spare: provider("openai", spare) },
      routes: ["first", "spare"].map((name) => ({
        models: ["svc/chat-1"],
        provider: name,
        upstream_model: "main",
      })),
    }),
  );
  afterEach(() => void vi.useRealTimers());
  beforeEach(() => {
    upstream.seen.length = 0;
    spare.seen.length = 0;
  });
  const ask = async (path: string, more: object) =>
    (await mapped.post(path, { model: "svc/chat-1", ...more })).body;
  const fingerprint = answers[protocol] === chat ? "fp_1" : null;

  it("has answered: it is called once, no failure is counted, and it is not asked for streams again", async () => {
    const wanted = [];
    for (const forgottenMs of [0, 0, rememberedMs, 0]) {
      vi.setSystemTime(Date.now() + forgottenMs);
      expect(await ask("/chat/completions", { messages })).toMatchObject({
        choices: [{ message: { content: text }, finish_reason: "stop" }],
        usage: { total_tokens: 14 },
        system_fingerprint: fingerprint,
      });
      wanted.push(upstream.seen.at(-1)?.json().stream === true);
    }
    expect(wanted).toEqual([true, false, true, false]);
    expect([upstream.seen.length, spare.seen.length]).toEqual([4, 0]);
    const operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
    const { body } = await call(mapped.gateway, operator, "GET", "/operator/health");
    const health = (body.data as { provider: string; last_failure: unknown }[]).find(
      (row) => row.provider === "first",
    );
    expect(health).toMatchObject({ last_failure: null });
  });

  it("gives a caller that streams its answer in one piece", async () => {
    const said = String((await ask("/chat/completions", { messages, stream: true })).text);
    const events = said.split("\n\n").filter((line) => line !== "");
    expect(events.pop()).toBe("data: [DONE]");
    const chunks = events.map((line) => JSON.parse(line.slice("data: ".length)));
    expect(chunks).toMatchObject([{ choices: [{ delta: { content: text }, finish_reason: "stop" }] }]);
    expect(chunks[0].system_fingerprint).toBe(fingerprint);
    expect([upstream.seen.length, spare.seen.length]).toEqual([1, 0]);
  });

  it.each([
    ["/messages", { max_tokens: 100, messages }, "message_stop"],
    ["/responses", { input: "Why is the sky blue?" }, "response.completed"],
  ])("gives it to a caller of %s", async (path, more, end) => {
    const said = String((await ask(path, { ...more, stream: true })).text);
    expect(said).toContain(`"${text}"`);
    expect(said.split(`event: ${end}\n`)).toHaveLength(2);
    expect([upstream.seen.length, spare.seen.length]).toEqual([1, 0]);
  });
});

it("an upstream that streams again is asked for streams again at once", async () => {
  let isWhole = true;
  const upstream = await startUpstream((_seen, response) => {
    if (isWhole) return sendJson(response, chat);
    const chunk = { choices: [{ index: 0, delta: { content: text }, finish_reason: "stop" }] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  const provider = {
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: { "us-virginia": { env: "TEST_UPSTREAM_KEY" } },
  };
  const mapped = await startMappedGateway({
    providers: { first: provider, spare: provider },
    routes: ["first", "spare"].map((name) => ({
      models: ["svc/chat-1"],
      provider: name,
      upstream_model: name,
    })),
  });
  const ask = async (more: object) => {
    await mapped.post("/chat/completions", { model: "svc/chat-1", messages, ...more });
    return upstream.seen.at(-1)?.json();
  };
  expect(await ask({})).toMatchObject({ model: "first", stream: true });
  expect((await ask({}))?.stream).not.toBe(true);
  isWhole = false;
  expect(await ask({ stream: true })).toMatchObject({ model: "first", stream: true });
  expect(await ask({})).toMatchObject({ model: "first", stream: true });
  await mapped.close();
  await upstream.close();
});
