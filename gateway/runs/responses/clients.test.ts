import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const model = "svc/chat-1";
const parameters = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false,
};

describe("unmodified clients of OpenAI's Responses", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const openai = shared(() => new OpenAI({ baseURL: gateway.url, apiKey: account.key }));

  it("openai: create, retrieve, list the input, continue, delete", async () => {
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
      .poll(async () => {
        response = await openai.responses.retrieve(response.id);
        return response.status;
      })
      .toBe("completed");
    expect(response.output_text).toContain("heliotrope");
    const refused = await openai.responses.cancel(response.id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
  });

  it("openai: the events of a stored response, also from the middle", async () => {
    const asked = { model, input: "What is the weather in Bergen?" };
    const tools = [{ type: "function" as const, name: "weather", parameters, strict: true }];
    for (const more of [{}, { tools }]) {
      const kept = await openai.responses.create({ ...asked, ...more });
      const replayed = await openai.responses.stream({ response_id: kept.id }).finalResponse();
      expect(replayed.output).toMatchObject(kept.output);
      const all: number[] = [];
      for await (const event of await openai.responses.retrieve(kept.id, { stream: true }))
        all.push(event.sequence_number);
      expect(all).toEqual(all.map((_, number) => number));
      const rest: number[] = [];
      const query = { stream: true as const, starting_after: 3 };
      for await (const event of await openai.responses.retrieve(kept.id, query))
        rest.push(event.sequence_number);
      expect(rest).toEqual(all.slice(4));
    }
    const gone = await openai.responses
      .retrieve("resp_none", { stream: true })
      .catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("openai: a response in the background as a stream, and read again while it is made", async () => {
    const asked = { model, input: "Say heliotrope.", background: true };
    const types: string[] = [];
    const stream = openai.responses.stream(asked);
    stream.on("event", ({ type }) => void types.push(type));
    const final = await stream.finalResponse();
    expect(final).toMatchObject({ status: "completed", background: true });
    expect(final.output_text).toContain("heliotrope");
    expect(types.slice(0, 3)).toEqual(["response.created", "response.queued", "response.in_progress"]);
    expect(types.at(-1)).toBe("response.completed");
    const queued = await openai.responses.create(asked);
    const followed = await openai.responses.stream({ response_id: queued.id }).finalResponse();
    expect(followed.output_text).toContain("heliotrope");
  });

  it("openai: counts the tokens of an input", async () => {
    const few = await openai.responses.inputTokens.count({ model, input: "Hi" });
    const many = await openai.responses.inputTokens.count({ model, input: "What is the weather in Bergen?" });
    expect(few).toMatchObject({ object: "response.input_tokens", svc_estimated: true });
    expect(many.input_tokens).toBeGreaterThan(few.input_tokens);
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

  it("@ai-sdk/openai: continues with references to stored items", async () => {
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
