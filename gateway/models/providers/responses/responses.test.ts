import OpenAI from "openai";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { keyIn, providerAt, startMappedGateway } from "../testing/mapped-gateway.ts";
import { startResponsesServer } from "../testing/responses-server.ts";

let openai: OpenAI;
const model = "own/mind";
const upstream = shared(startResponsesServer);
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
    input_modalities: ["text", "image"],
  });
  expect(made.status).toBe(201);
  openai = new OpenAI({ baseURL: mapped.gateway.url, apiKey: mapped.account.key, maxRetries: 0 });
});
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.ending = "completed";
});

const search = { type: "web_search" as const };
const weather = {
  type: "function" as const,
  name: "weather",
  parameters: { type: "object", properties: {} },
  strict: false,
};
const asked = {
  model,
  input: "Why is the sky blue?",
  tools: [search, weather],
  reasoning: { effort: "low" as const },
};
const types = ["reasoning", "web_search_call", "message", "function_call"];

describe("OpenAI's client of Responses to an upstream that speaks them", () => {
  it("passes through unchanged, and the upstream stores nothing", async () => {
    const { data: answer, response } = await openai.responses
      .create({ ...asked, metadata: { customer: "acme" } })
      .withResponse();
    expect(upstream.at(0).json()).toEqual({
      ...asked,
      input: [{ type: "message", role: "user", content: asked.input }],
      model: "big-mind",
      store: false,
      include: ["reasoning.encrypted_content"],
    });
    expect(response.headers.get("x-svc-ignored-params")).toBeNull();
    expect(answer.output.map(({ type }) => type)).toEqual(types);
    expect(answer).toMatchObject({
      model,
      output_text: "Blue light scatters most.",
      service_tier: "flex",
      store: true,
      metadata: { customer: "acme" },
      usage: {
        input_tokens: 40,
        input_tokens_details: { cached_tokens: 30 },
        output_tokens_details: { reasoning_tokens: 8 },
      },
    });
    expect(answer.output[2]).toMatchObject({
      phase: "final_answer",
      content: [{ annotations: [{ type: "url_citation" }] }],
    });
    expect(JSON.stringify(answer)).not.toContain("upstream");
    expect((await openai.responses.retrieve(answer.id)).output).toEqual(answer.output);
  });

  it("streams to the strict accumulator of the client, with the ids that it can name later", async () => {
    const stream = openai.responses.stream({ ...asked, include: ["reasoning.encrypted_content"] });
    const events: string[] = [];
    for await (const event of stream) events.push(event.type);
    const answer = await stream.finalResponse();
    expect(events).toContain("response.web_search_call.searching");
    expect(answer.output.map(({ type }) => type)).toEqual(types);
    expect(answer.output.every(({ id }) => id?.includes(answer.id.slice(5)))).toBe(true);
    expect(JSON.stringify(answer)).not.toContain("sealed-by-the-upstream");
    expect((await openai.responses.retrieve(answer.id)).output).toHaveLength(4);
  });

  it("continues with its own reasoning, which the gateway decrypts", async () => {
    const first = await openai.responses.create(asked);
    await openai.responses.create({
      model,
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: "call_1", output: "rain" }],
    });
    expect(upstream.at(1).json().input).toEqual([
      { type: "message", role: "user", content: asked.input },
      {
        type: "reasoning",
        id: "rs_upstream1",
        summary: [{ type: "summary_text", text: "It is about wavelengths." }],
        encrypted_content: "sealed-by-the-upstream",
      },
      expect.objectContaining({ type: "web_search_call" }),
      expect.objectContaining({ role: "assistant", phase: "final_answer" }),
      {
        type: "function_call",
        status: "completed",
        call_id: "call_1",
        name: "weather",
        arguments: '{"city":"Bergen"}',
      },
      { type: "function_call_output", call_id: "call_1", output: "rain" },
    ]);
    expect(upstream.at(1).json()).not.toHaveProperty("previous_response_id");
  });

  it("can be made in the background", async () => {
    let answer = await openai.responses.create({ ...asked, background: true });
    await expect
      .poll(async () => {
        answer = await openai.responses.retrieve(answer.id);
        return answer.status;
      })
      .toBe("completed");
    expect(answer.output.map(({ type }) => type)).toEqual(types);
    expect(upstream.at(0).json()).not.toHaveProperty("background");
  });

  it("reports a failure, and a stream that was cut", async () => {
    upstream.ending = "failed";
    await expect(openai.responses.create(asked)).rejects.toMatchObject({
      status: 502,
      code: "upstream_error",
    });
    const broken = await openai.responses.create({ ...asked, stream: true });
    const events = [];
    for await (const event of broken) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { status: "failed" } });
    upstream.ending = "cut";
    const cut = await openai.responses.create({ ...asked, stream: true });
    const seen = [];
    for await (const event of cut) seen.push(event);
    expect(seen.at(-1)).toMatchObject({ type: "response.failed" });
  });

  it("gets an image URL unchanged, and an upload of the gateway as bytes", async () => {
    const ask = (picture: object) =>
      openai.responses.create({
        model,
        input: [{ role: "user", content: [{ type: "input_image", detail: "low", ...picture }] }],
      });
    await ask({ image_url: smallImage });
    expect(upstream.at(0).json().input).toEqual([
      { role: "user", content: [{ type: "input_image", detail: "low", image_url: smallImage }] },
    ]);
    const [, type = "", data = ""] = /^data:([^;]+);base64,(.*)$/.exec(smallImage) ?? [];
    const file = new File([Buffer.from(data, "base64")], "small", { type });
    const uploaded = await openai.files.create({ file, purpose: "vision" });
    await ask({ file_id: uploaded.id });
    expect(upstream.at(1).json().input).toMatchObject([
      { role: "user", content: [{ type: "input_image", detail: "low", image_url: smallImage }] },
    ]);
  });
});

describe("a chat that runs by Responses", () => {
  const chat = {
    model,
    messages: [
      { role: "system" as const, content: "Be brief." },
      { role: "user" as const, content: "Why is the sky blue?" },
    ],
    tools: [{ type: "function" as const, function: { name: "weather", parameters: { type: "object" } } }],
    reasoning_effort: "low" as const,
    max_tokens: 200,
    response_format: {
      type: "json_schema" as const,
      json_schema: { name: "sky", schema: { type: "object" } },
    },
  };

  it("is translated in both directions", async () => {
    const answer = await openai.chat.completions.create(chat);
    expect(upstream.at(0).json()).toMatchObject({
      model: "big-mind",
      store: false,
      include: ["reasoning.encrypted_content"],
      input: [
        { role: "system", content: [{ type: "input_text", text: "Be brief." }] },
        { role: "user", content: [{ type: "input_text", text: "Why is the sky blue?" }] },
      ],
      tools: [{ type: "function", name: "weather", strict: false }],
      reasoning: { effort: "low" },
      max_output_tokens: 200,
      text: { format: { type: "json_schema", name: "sky", schema: { type: "object" } } },
    });
    expect(upstream.at(0).json()).not.toHaveProperty("messages");
    expect(answer.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "Blue light scatters most.",
        reasoning_content: "It is about wavelengths.",
        annotations: [{ type: "url_citation", url_citation: { url: "https://example.com/" } }],
        tool_calls: [{ id: "call_1", function: { name: "weather", arguments: '{"city":"Bergen"}' } }],
      },
    });
    expect(answer.usage).toMatchObject({
      prompt_tokens: 40,
      completion_tokens: 12,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 8 },
    });
  });

  it("streams the same, and sends its reasoning back in the next turn", async () => {
    const { response_format: _, ...plain } = chat;
    const whole = await openai.chat.completions.create(plain);
    const stream = openai.chat.completions.stream(plain);
    const streamed = await stream.finalChatCompletion();
    const [message] = streamed.choices.map((choice) => choice.message);
    expect(message?.content).toBe(whole.choices[0]?.message.content);
    expect(message?.tool_calls).toMatchObject([{ id: "call_1", function: { name: "weather" } }]);
    const { message: said } = whole.choices[0] ?? {};
    if (!said) throw new Error("no answer");
    await openai.chat.completions.create({
      ...plain,
      messages: [...chat.messages, said, { role: "tool", tool_call_id: "call_1", content: "rain" }],
    });
    expect(upstream.at(2).json().input).toMatchObject([
      {},
      {},
      { type: "reasoning", id: "rs_upstream1", encrypted_content: "sealed-by-the-upstream" },
      { role: "assistant", content: [{ type: "output_text" }] },
      { type: "function_call", call_id: "call_1" },
      { type: "function_call_output", call_id: "call_1", output: "rain" },
    ]);
  });
});
