import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const model = "svc/chat-1";
const max_tokens = 1_000;
const weather = {
  name: "get_weather",
  description: "The weather of a city",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};
const asked = { role: "user" as const, content: "What is the weather in Bergen?" };

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());
const anthropic = shared(
  () =>
    new Anthropic({
      baseURL: gateway.url.replace(/\/v1$/, ""),
      apiKey: account.key,
      maxRetries: 0,
    }),
);

const send = (body: object) => call(gateway, account.key, "POST", "/messages", body);

describe("what Anthropic's API has and this one has not", () => {
  it.each([
    ["POST", "/messages/batches", 404, "POST /v1/batches"],
    ["GET", "/messages/batches/msgbatch_1/results", 404, "POST /v1/batches"],
    ["POST", "/messages/other", 404, "POST /v1/messages"],
    ["GET", "/messages", 405, "use POST"],
  ])("%s %s answers in its shape, with what to use instead", async (method, path, status, instead) => {
    expect(await call(gateway, account.key, method, path, method === "POST" ? {} : undefined)).toMatchObject({
      status,
      body: {
        type: "error",
        error: {
          type: expect.stringMatching(/^(not_found|invalid_request)_error$/),
          message: expect.stringContaining(instead),
        },
        request_id: expect.stringMatching(/^req_/),
      },
    });
  });

  it("is an error that the client understands", async () => {
    const error = await anthropic.messages.batches.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.NotFoundError);
    expect(error).toMatchObject({
      type: "not_found_error",
      message: expect.stringContaining("POST /v1/batches"),
    });
  });
});

describe("the unmodified client of Anthropic's Messages", () => {
  it("creates a message, with a key or a bearer, with /v1 in its base URL or without", async () => {
    const message = await anthropic.messages.create({
      model,
      max_tokens,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      messages: [{ role: "user", content: "Say hello to the harbour" }],
    });
    expect(message).toMatchObject({
      type: "message",
      role: "assistant",
      model,
      stop_reason: "end_turn",
      content: [{ type: "text", text: expect.stringContaining("a system prompt of 9 characters") }],
      usage: { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
    expect(message._request_id).toMatch(/^req_/);
    const other = new Anthropic({ baseURL: gateway.url, authToken: account.key, apiKey: null });
    const again = await other.messages.create({ model, max_tokens, messages: [asked] });
    expect(again.content[0]).toMatchObject({ type: "text" });
  });

  it("streams a text and a call, and continues with the result", async () => {
    const stream = anthropic.messages.stream({
      model,
      max_tokens,
      messages: [{ role: "user", content: "Hello harbour" }],
    });
    let text = "";
    stream.on("text", (piece) => {
      text += piece;
    });
    const final = await stream.finalMessage();
    expect(final.content).toMatchObject([{ type: "text", text }]);
    expect(text).toContain("harbour");
    expect(final.usage.output_tokens).toBeGreaterThan(0);

    const called = await anthropic.messages
      .stream({ model, max_tokens, messages: [asked], tools: [weather] })
      .finalMessage();
    expect(called.stop_reason).toBe("tool_use");
    const [use] = called.content;
    if (use?.type !== "tool_use") throw new Error("it calls");
    expect(use).toMatchObject({ name: "get_weather", input: { city: asked.content } });
    const answer = await anthropic.messages.create({
      model,
      max_tokens,
      tools: [weather],
      messages: [
        asked,
        { role: "assistant", content: called.content },
        {
          role: "user",
          content: [
            { type: "text", text: "There it is." },
            { type: "tool_result", tool_use_id: use.id, content: [{ type: "text", text: "12 °C and rain" }] },
          ],
        },
      ],
    });
    expect(answer.content[0]).toMatchObject({ text: expect.stringContaining("4 messages") });
  });

  it("raises its own error classes, with our code", async () => {
    const failed = (body: Partial<Anthropic.MessageCreateParamsNonStreaming>, client = anthropic) =>
      client.messages
        .create({ model, max_tokens, messages: [asked], ...body })
        .catch((error: unknown) => error);
    const unknown = await failed({ model: "svc/none" });
    expect(unknown).toBeInstanceOf(Anthropic.NotFoundError);
    expect(unknown).toMatchObject({
      error: { type: "error", error: { type: "not_found_error", code: "model_not_found" } },
    });
    expect(await failed({ max_tokens: 0 })).toBeInstanceOf(Anthropic.BadRequestError);
    const stranger = new Anthropic({ baseURL: gateway.url, apiKey: "sk-none" });
    expect(await failed({}, stranger)).toBeInstanceOf(Anthropic.AuthenticationError);
  });

  it("lists models by pages, forwards and back", async () => {
    const all = await anthropic.models.list();
    const ids = all.data.map(({ id }) => id);
    const paged: string[] = [];
    for await (const { id } of anthropic.models.list({ limit: 10 })) paged.push(id);
    expect(paged).toEqual(ids);
    const last = await anthropic.models.list({ limit: 10, after_id: ids[29] ?? "" });
    expect(last).toMatchObject({ has_more: false, first_id: ids[30], last_id: ids.at(-1) });
    const back = await anthropic.models.list({ limit: 10, before_id: ids[30] ?? "" });
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(20, 30));
    const unknown = await anthropic.models.list({ after_id: "svc/none" }).catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(Anthropic.BadRequestError);
  });

  it("counts tokens, and marks the count as an estimate", async () => {
    const few = await anthropic.messages.countTokens({ model, messages: [{ role: "user", content: "Hi" }] });
    const many = await anthropic.messages.countTokens({ model, messages: [asked], tools: [weather] });
    expect(few).toMatchObject({ svc_estimated: true });
    expect(many.input_tokens).toBeGreaterThan(few.input_tokens);
  });
});

describe("a message with an agent's usual fields", () => {
  it("is accepted: a system role among messages, adaptive thinking, unknown betas and fields, search tools", async () => {
    const { status, headers } = await send({
      model,
      max_tokens,
      system: "Be brief.",
      messages: [asked, { role: "system", content: "Answer in one word." }],
      thinking: { type: "adaptive" },
      output_config: { effort: "max" },
      context_management: { edits: [] },
      tools: [weather, { type: "web_search_20250305", name: "web_search" }],
      betas: ["some-beta-2027-01-01"],
    });
    expect(status).toBe(200);
    expect(headers.get("x-svc-ignored-params")).toBe("tools[1], context_management, betas");
  });

  it("is refused with its field name if the gateway cannot do it", async () => {
    const param = async (more: object) => {
      const { status, body } = await send({ model, max_tokens, messages: [asked], ...more });
      expect(status, JSON.stringify(more)).toBe(400);
      return (body.error as { param: string }).param;
    };
    expect(await param({ tools: [{ type: "computer_20250124", name: "computer" }] })).toBe("tools[0]");
    expect(await param({ tool_choice: { type: "some" }, tools: [weather] })).toBe("tool_choice.type");
    expect(await param({ mcp_servers: [{ url: "https://example.com" }] })).toBe("mcp_servers");
    expect(await param({ messages: [{ role: "user", content: [{ type: "strange" }] }] })).toBe(
      "messages[0].content[0]",
    );
    expect(await param({ output_config: { effort: "none" } })).toBe("output_config.effort");
    expect(await param({ max_tokens: undefined })).toBe("max_tokens");
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    expect(await param({ messages: [{ role: "user", content: [image] }] })).toBe("messages[0].content[0]");
  });

  it("names a refused picture as it was sent, wherever it is", async () => {
    const text = { type: "text", text: "What is this?" };
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
    const use = { type: "tool_use", id: "toolu_1", name: "get_weather", input: {} };
    const result = (content: object[]) => ({ type: "tool_result", tool_use_id: "toolu_1", content });
    const called = [asked, { role: "assistant", content: [use] }];
    for (const [place, more] of [
      ["system[1]", { system: [text, image], messages: [asked] }],
      [
        "messages[0].content[1]",
        { system: "Be brief.", messages: [{ role: "user", content: [text, image] }] },
      ],
      [
        "messages[2].content[0].content[1]",
        { messages: [...called, { role: "user", content: [result([text, image])] }] },
      ],
      [
        "messages[2].content[1]",
        { messages: [...called, { role: "user", content: [result([text]), image] }] },
      ],
    ] as const) {
      const { status, body } = await send({ model, max_tokens, tools: [weather], ...more });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: {
          type: "error",
          error: {
            type: "invalid_request_error",
            param: place,
            message: expect.stringContaining(`${place} is a part of type image, and`),
          },
        },
      });
    }
    const sent = [
      {
        role: "user",
        content: [
          { type: "input_text", text: "?" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
        ],
      },
    ];
    expect(
      await call(gateway, account.key, "POST", "/responses", {
        model,
        input: [{ role: "user", content: "Hello" }, ...sent],
      }),
    ).toMatchObject({
      status: 400,
      body: {
        error: {
          param: "input[1].content[1]",
          message: expect.stringContaining("input[1].content[1] is a part of type input_image, and"),
        },
      },
    });
  });
});
