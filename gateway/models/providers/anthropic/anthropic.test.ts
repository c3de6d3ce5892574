import Anthropic from "@anthropic-ai/sdk";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { startAnthropicServer } from "../testing/anthropic-server.ts";
import { keyIn, providerAt, startMappedGateway } from "../testing/mapped-gateway.ts";

let anthropic: Anthropic;
const model = "own/mind";
const upstream = shared(startAnthropicServer);
const mapped = shared(() =>
  startMappedGateway({
    providers: {
      minds: providerAt(upstream, { credentials: keyIn("us-oregon") }),
    },
    routes: [],
  }),
);
beforeAll(async () => {
  const operator = await mapped.gateway.createKey(mapped.account.accountId, { scopes: ["operator"] });
  const made = await call(mapped.gateway, operator, "POST", "/operator/models", {
    id: model,
    import: { provider: "minds", name: "big-mind" },
  });
  expect(made.body).toMatchObject({ input_modalities: ["text", "image", "file"] });
  anthropic = new Anthropic({ baseURL: mapped.gateway.url, apiKey: mapped.account.key, maxRetries: 0 });
});
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.isOverloaded = false;
  upstream.said = null;
});

const signed = { type: "thinking", thinking: "It is about wavelengths.", signature: "signed-by-the-model" };
const asked = {
  model,
  max_tokens: 2_000,
  system: [{ type: "text" as const, text: "Be brief.", cache_control: { type: "ephemeral" as const } }],
  messages: [{ role: "user" as const, content: "Why is the sky blue?" }],
  thinking: { type: "enabled" as const, budget_tokens: 1_024 },
};

describe("Anthropic's own client to Anthropic's own API", () => {
  it("passes through unchanged except for the model and the key, and contents say so", async () => {
    const { gateway } = mapped;
    const { session, key } = await gateway.createAccount();
    await call(gateway, session, "PATCH", "/account", { contents: { keep: "all" } });
    const keeping = new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 });
    const answer = await keeping.messages.create(
      { ...asked, tools: [{ type: "web_search_20250305", name: "web_search" }] },
      { headers: { "anthropic-beta": "context-1m-2025-08-07" } },
    );
    const { headers, json } = upstream.at(0);
    expect(json()).toEqual({
      ...asked,
      model: "big-mind",
      tools: [{ type: "web_search_20250305", name: "web_search" }],
    });
    expect(headers).toMatchObject({
      "x-api-key": "upstream-test-key-0001",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "context-1m-2025-08-07",
    });
    expect(headers.authorization).toBeUndefined();
    expect(answer).toMatchObject({ model, stop_reason: "tool_use", usage: { cache_read_input_tokens: 100 } });
    expect(answer.content).toMatchObject([
      signed,
      { type: "redacted_thinking" },
      { citations: [{}] },
      { name: "weather" },
    ]);
    expect(answer.id).toMatch(/^msg_01/);
    const { data } = (await call(gateway, session, "GET", "/contents")).body as { data: { id: string }[] };
    const { body: content } = await call(gateway, session, "GET", `/contents/${data[0]?.id}`);
    expect(content.upstream_changes).toEqual([{ field: "model", asked: model, sent: "big-mind" }]);
  });

  it("counts its tokens at the upstream, and estimates them if that fails", async () => {
    const { max_tokens: _, ...counted } = asked;
    expect(await anthropic.messages.countTokens(counted)).toEqual({ input_tokens: 42, svc_estimated: false });
    expect(upstream.at(0).path).toBe("/v1/messages/count_tokens");
    expect(upstream.at(0).json()).toEqual({ ...counted, model: "big-mind" });
    const response = { model, input: "Why is the sky blue?", instructions: "Be brief." };
    expect((await mapped.post("/responses/input_tokens", response)).body).toEqual({
      object: "response.input_tokens",
      input_tokens: 42,
      svc_estimated: false,
    });
    expect(upstream.at(1).json()).toMatchObject({ model: "big-mind", system: [{ text: "Be brief." }] });
    upstream.trouble(/count_tokens/, { status: 500 });
    expect(await anthropic.messages.countTokens(counted)).toMatchObject({ svc_estimated: true });
  });

  it("streams its events unchanged, with citations and signatures, and counts the usage that they report", async () => {
    const stream = anthropic.messages.stream(asked);
    const final = await stream.finalMessage();
    expect(final.content).toMatchObject([
      signed,
      { type: "redacted_thinking", data: "hidden" },
      { type: "text", text: "Blue light scatters most.", citations: [{ type: "char_location" }] },
      { type: "tool_use", input: { city: "Bergen" } },
    ]);
    // The upstream reports input tokens at the beginning, and output tokens at the end.
    const input = { input_tokens: 12, cache_read_input_tokens: 100, cache_creation_input_tokens: 7 };
    expect(final.usage).toMatchObject({ ...input, output_tokens: 5 });
  });

  it("streams the input tokens at the beginning and at the end, so that each client finds them", async () => {
    const usages: unknown[] = [];
    for await (const event of await anthropic.messages.create({ ...asked, stream: true })) {
      if (event.type === "message_start") usages.push(event.message.usage);
      if (event.type === "message_delta") usages.push(event.usage);
    }
    const input = { input_tokens: 12, cache_read_input_tokens: 100, cache_creation_input_tokens: 7 };
    expect(usages).toEqual([
      expect.objectContaining(input),
      expect.objectContaining({ ...input, output_tokens: 5 }),
    ]);
  });

  it("ends with an Anthropic error when the upstream breaks off", async () => {
    upstream.isOverloaded = true;
    const broken = await anthropic.messages
      .stream(asked)
      .finalMessage()
      .catch((error: unknown) => error);
    expect(broken).toBeInstanceOf(Anthropic.APIError);
    expect(broken).toMatchObject({ error: { error: { code: "upstream_stream_interrupted" } } });
  });
});

describe("a chat on Anthropic's API", () => {
  const chat = (body: object) => mapped.post("/chat/completions", { model, ...body });

  it("is translated in both directions, with cached tokens counted as prompt tokens", async () => {
    const { body } = await chat({
      messages: [{ role: "user", content: "Why?" }],
      reasoning_effort: "low",
      max_tokens: 4_000,
    });
    expect(body).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            content: "Blue light scatters most.",
            reasoning_content: signed.thinking,
            reasoning_details: [
              { type: "reasoning.text", signature: signed.signature },
              { type: "reasoning.encrypted", data: "hidden" },
            ],
            tool_calls: [{ id: "toolu_1", function: { name: "weather", arguments: '{"city":"Bergen"}' } }],
          },
        },
      ],
      usage: {
        prompt_tokens: 119,
        completion_tokens: 5,
        total_tokens: 124,
        prompt_tokens_details: { cached_tokens: 100 },
      },
    });
    expect(body.native).toBeUndefined();
    expect(upstream.at(0).json()).toEqual({
      model: "big-mind",
      max_tokens: 4_000,
      messages: [{ role: "user", content: [{ type: "text", text: "Why?" }] }],
      thinking: { type: "enabled", budget_tokens: 2_048 },
    });
  });

  it("sends back signed parts, tool results and images", async () => {
    const first = (await chat({ messages: [{ role: "user", content: "Why?" }] })).body;
    const [choice] = first.choices as { message: object }[];
    const picture = { type: "image_url", image_url: { url: smallImage } };
    const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
    const second = await chat({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Why?" },
        choice?.message,
        { role: "tool", tool_call_id: "toolu_1", content: "12 °C" },
        { role: "user", content: [picture, { type: "text", text: "And here?" }] },
      ],
      tools,
      tool_choice: "required",
    });
    expect(second.status).toBe(200);
    expect(upstream.at(1).json()).toMatchObject({
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: [
            signed,
            { type: "redacted_thinking", data: "hidden" },
            { type: "text", text: "Blue light scatters most." },
            { type: "tool_use", id: "toolu_1", input: { city: "Bergen" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "12 °C" }] },
            { type: "image", source: { type: "base64", media_type: "image/png" } },
            { type: "text", text: "And here?" },
          ],
        },
      ],
      tools: [{ name: "weather", input_schema: { type: "object" } }],
      tool_choice: { type: "any" },
    });
  });

  it("streams the same content, also as a response", async () => {
    const { body } = await mapped.post("/responses", {
      model,
      input: "Why?",
      include: ["reasoning.encrypted_content"],
    });
    const output = body.output as { type: string; encrypted_content?: string }[];
    expect(output.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call"]);
    const next = await mapped.post("/responses", {
      model,
      store: false,
      input: [
        { role: "user", content: "Why?" },
        ...output,
        { type: "function_call_output", call_id: "toolu_1", output: "12 °C" },
      ],
    });
    expect(next.status, JSON.stringify(next.body)).toBe(200);
    const [, said] = upstream.at(1).json().messages as { content: unknown[] }[];
    expect(said?.content[0]).toEqual(signed);
    const asCompaction = { model, input: [{ ...output[0], type: "compaction" }] };
    expect(await mapped.post("/responses", asCompaction)).toMatchObject({
      status: 400,
      body: { error: { param: "input[0].encrypted_content" } },
    });
  });
});

describe("an upstream without usage is metered by an estimate, like other chats without usage", () => {
  const question = {
    model,
    max_tokens: 2_000,
    messages: [{ role: "user" as const, content: "Why is the sky blue?" }],
  };
  const quantity = async () => {
    const { body } = await call(
      mapped.gateway,
      mapped.account.key,
      "GET",
      `/usage?group_by=model&model=${model}`,
    );
    return (body.data as { quantity: number }[])[0]?.quantity ?? 0;
  };
  const chats = {
    "a message": async () => {
      const { input_tokens, output_tokens } = (await anthropic.messages.create(question)).usage;
      return [input_tokens, output_tokens];
    },
    "a stream of messages": async () => {
      const { input_tokens, output_tokens } = (await anthropic.messages.stream(question).finalMessage())
        .usage;
      return [input_tokens, output_tokens];
    },
    "a chat": async () => {
      const { body } = await mapped.post("/chat/completions", question);
      const { prompt_tokens, completion_tokens } = body.usage as Record<string, number>;
      return [prompt_tokens, completion_tokens];
    },
    "a response": async () => {
      const { body } = await mapped.post("/responses", { model, input: "Why is the sky blue?" });
      const { input_tokens, output_tokens } = body.usage as Record<string, number>;
      return [input_tokens, output_tokens];
    },
  };
  it.each(
    Object.keys(chats).flatMap((name) =>
      (["nothing", "zeros"] as const).map((said) => [name, said] as const),
    ),
  )("%s with usage reported as %s", async (name, said) => {
    upstream.said = said;
    const before = await quantity();
    const [input = 0, output = 0] = await chats[name as keyof typeof chats]();
    // Four characters count as one token.
    expect(input).toBeGreaterThan(5);
    expect(output).toBeGreaterThan(10);
    expect((await quantity()) - before).toBe(input + output);
  });
});
