import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "#gateway/models/providers/testing/model-server.ts";
import { tinyModelSays, tinyModelTokens } from "#gateway/models/providers/testing/tiny-model.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

const installMs = 300_000;
const logMs = 10_000;
const model = "local/tiny";
const messages = [{ role: "user" as const, content: "Who are you?" }];
/** The count that llama.cpp gives for the question inside ChatML. */
const promptTokens = 30;
const usage = {
  prompt_tokens: promptTokens,
  completion_tokens: tinyModelTokens,
  total_tokens: promptTokens + tinyModelTokens,
};

describe("llama.cpp behind a third-party server", () => {
  let server: ModelServer;
  let gateway: TestGateway;
  let account: TestAccount;
  let openai: OpenAI;
  beforeAll(async () => {
    server = await startModelServer("tiny-chat");
    gateway = await startTestGateway();
    // The first account's owner is the operator.
    account = await gateway.createAccount();
    openai = new OpenAI({ baseURL: gateway.url, apiKey: account.key, maxRetries: 0 });
    const provider = {
      name: "llama",
      protocol: "openai",
      base_url: server.url,
      credentials: { "eu-frankfurt": {} },
      allow_private: true,
    };
    expect((await ask("POST", "/operator/providers", provider)).status).toBe(201);
    const requested = { id: model, import: { provider: "llama", name: "tiny-chat" } };
    expect((await ask("POST", "/operator/models", requested)).status).toBe(201);
  }, installMs);
  afterAll(async () => {
    await server.kill();
    await gateway.close();
  });

  const ask = (method: string, path: string, body?: object) =>
    call(gateway, account.session, method, path, body);
  const test = async () => (await ask("POST", "/operator/providers/llama/test")).body;
  /** The token counts of each answer that the client received. */
  const told: number[] = [];
  const chat = async (more: { max_tokens?: number; stop?: string[] } = {}) => {
    const asked = openai.chat.completions.create({ model, messages, ...more });
    const { data, request_id } = await asked.withResponse();
    told.push(data.usage?.total_tokens ?? 0);
    return { data, request_id, choice: data.choices[0] };
  };
  const expectLogged = (requestId: string | null) =>
    expect
      .poll(
        async () => {
          const { body } = await ask("GET", "/requests?limit=100");
          return (body.data as { id: string }[]).find(({ id }) => id === requestId);
        },
        { timeout: logMs },
      )
      .toMatchObject({
        ...{ status: 200, code: null, model, region: "eu-frankfurt" },
        usage: { unit: "token", quantity: usage.total_tokens },
      });

  it("passes the test of a provider and lists its model", async () => {
    expect(await test()).toMatchObject({ ok: true, message: "It lists 1 model." });
    const { body } = await ask("GET", "/operator/providers/llama/models");
    expect(body.data).toMatchObject([{ id: "tiny-chat" }]);
  });

  it("answers a chat", async () => {
    const { data, request_id } = await chat();
    expect(data).toMatchObject({
      model,
      choices: [{ message: { role: "assistant", content: tinyModelSays }, finish_reason: "stop" }],
      usage,
    });
    await expectLogged(request_id);
  });

  it.each([
    ["with", true],
    ["without", false],
  ])("streams a chat %s its usage", async (_, include_usage) => {
    const options = { stream: true as const, stream_options: { include_usage } };
    const asked = openai.chat.completions.create({ model, messages, temperature: 1.5, ...options });
    const { data, request_id } = await asked.withResponse();
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of data) chunks.push(chunk);
    told.push(usage.total_tokens);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    const pieces = choices.flatMap(({ delta }) => delta.content || []);
    expect(pieces.join("")).toBe(tinyModelSays);
    expect(pieces.length).toBeGreaterThan(2);
    expect(choices.flatMap(({ finish_reason }) => finish_reason ?? [])).toEqual(["stop"]);
    const usages = chunks.flatMap((chunk) => (chunk.usage ? [chunk.usage] : []));
    expect(usages).toEqual(include_usage ? [expect.objectContaining(usage)] : []);
    await expectLogged(request_id);
  });

  it("stops at the client's stop word", async () => {
    const short = await chat({ max_tokens: 3 });
    expect(short.choice).toMatchObject({ finish_reason: "length" });
    expect(tinyModelSays).toContain(short.choice?.message.content);
    expect(short.data.usage?.completion_tokens).toBeLessThan(tinyModelTokens);
    const stopped = await chat({ stop: ["tiny"] });
    expect(stopped.choice).toMatchObject({ message: { content: " Hello from a " }, finish_reason: "stop" });
  });

  it("is skipped while it is down, and used again afterwards", async () => {
    await server.kill();
    await expect(chat()).rejects.toMatchObject({ status: 503 });
    expect(await test()).toMatchObject({ ok: false, message: expect.stringMatching(/^Nothing listens/) });
    await server.start();
    expect(await test()).toMatchObject({ ok: true });
    expect((await chat()).choice?.message.content).toBe(tinyModelSays);
  });

  it("is metered by the usage that its answers reported", async () => {
    const { body } = await ask("GET", `/usage?model=${model}`);
    const quantity = told.reduce((sum, tokens) => sum + tokens, 0);
    expect(body.data).toMatchObject([{ unit: "token", quantity, requests: told.length }]);
  });
});
