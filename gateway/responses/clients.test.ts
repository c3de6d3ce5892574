import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

const model = "svc/chat-1";
const parameters = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false,
};

describe("unmodified clients of OpenAI's Responses", () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let openai: OpenAI;
  beforeAll(async () => {
    gateway = await startTestGateway();
    account = await gateway.createAccount();
    openai = new OpenAI({ baseURL: gateway.url, apiKey: account.key });
  });
  afterAll(() => gateway.close());

  it("openai: create, retrieve, list the input, go on, delete", async () => {
    const first = await openai.responses.create({ model, input: "Say hello to the harbour" });
    expect(first.output_text).toContain("harbour");
    expect((await openai.responses.retrieve(first.id)).output_text).toBe(first.output_text);
    const items = await openai.responses.inputItems.list(first.id);
    expect(items.data).toMatchObject([{ type: "message", role: "user" }]);
    const next = await openai.responses.create({ model, input: "Again", previous_response_id: first.id });
    expect(next.output_text).toContain("3 messages");
    await openai.responses.delete(first.id);
    const gone = await openai.responses.retrieve(first.id).catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("openai: a response in the background, and one that is canceled", async () => {
    let response = await openai.responses.create({ model, input: "Say heliotrope.", background: true });
    expect(response.status).toBe("queued");
    await expect
      .poll(
        async () => {
          response = await openai.responses.retrieve(response.id);
          return response.status;
        },
        { timeout: 20_000 },
      )
      .toBe("completed");
    expect(response.output_text).toContain("heliotrope");
    const refused = await openai.responses.cancel(response.id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
  });

  it("openai: its strict accumulator of a stream, with a text and with a call", async () => {
    const stream = openai.responses.stream({ model, input: "Say hello to the harbour" });
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => {
      text += delta;
    });
    const final = await stream.finalResponse();
    expect(final.output_text).toBe(text);
    expect(text).toContain("harbour");

    const called = await openai.responses
      .stream({
        model,
        input: "What is the weather in Bergen?",
        tools: [{ type: "function", name: "weather", parameters, strict: true }],
      })
      .finalResponse();
    expect(called.output).toMatchObject([{ type: "function_call", name: "weather" }]);
  });

  it("@ai-sdk/openai: its default call, in two steps with a tool, whole and streamed", async () => {
    const provider = createOpenAI({ baseURL: gateway.url, apiKey: account.key });
    const asked: string[] = [];
    const tools = {
      weather: tool({
        description: "The weather of a city",
        inputSchema: jsonSchema<{ city: string }>(parameters),
        execute: async ({ city }) => {
          asked.push(city);
          return "12 °C and rain";
        },
      }),
    };
    const order = {
      model: provider(model),
      prompt: "What is the weather in Bergen?",
      tools,
      stopWhen: isStepCount(2),
    };
    const { text, steps } = await generateText(order);
    expect(steps).toHaveLength(2);
    expect(text).toContain("12 °C and rain");
    let streamed = "";
    for await (const piece of streamText(order).textStream) streamed += piece;
    expect(streamed).toContain("12 °C and rain");
    expect(asked).toHaveLength(2);
  });

  it("@ai-sdk/openai: goes on with references to what is kept", async () => {
    const provider = createOpenAI({ baseURL: gateway.url, apiKey: account.key });
    const first = await generateText({ model: provider(model), prompt: "Remember cobalt" });
    const { text } = await generateText({
      model: provider(model),
      messages: [
        { role: "user", content: "Remember cobalt" },
        ...first.response.messages,
        { role: "user", content: "And then?" },
      ],
    });
    expect(text).toContain("3 messages");
  });
});
