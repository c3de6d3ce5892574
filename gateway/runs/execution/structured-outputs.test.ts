import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { generateObject, jsonSchema } from "ai";
import OpenAI, { toFile } from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const Boat = z.object({
  name: z.string(),
  mail: z.email(),
  built: z.iso.date(),
  masts: z.int().min(2).max(4),
  rig: z.enum(["sloop", "ketch"]),
  owner: z.object({ port: z.string().nullable() }),
  logs: z.array(z.object({ miles: z.number().positive() })).min(2),
});
const schema = z.toJSONSchema(Boat) as Record<string, unknown>;
/** Nothing fits: shorter than its shortest text. */
const impossible = {
  type: "object",
  properties: { a: { type: "string", minLength: 3, maxLength: 2 } },
  required: ["a"],
  additionalProperties: false,
};
const model = "svc/chat-1";
const messages = [{ role: "user" as const, content: "Describe a boat" }];
const mark = "Sandbox: no model ran";

type Schema = Record<string, unknown>;
const asked = (given: Schema) => ({
  type: "json_schema",
  json_schema: { name: "boat", schema: given, strict: true },
});
const tool = (parameters: Schema) => ({
  tools: [{ type: "function", function: { name: "boat", parameters, strict: true } }],
  tool_choice: { type: "function", function: { name: "boat" } },
});
const responseTool = (parameters: Schema) => ({
  tools: [{ type: "function", name: "boat", parameters, strict: true }],
  tool_choice: { type: "function", name: "boat" },
});
const messageTool = (input_schema: Schema) => ({
  tools: [{ name: "boat", input_schema, strict: true }],
  tool_choice: { type: "tool", name: "boat" },
});
const message = { max_tokens: 4_000, messages };

/** What an entrance asks for, and where it names a schema that nothing fits. */
const entrances: [string, string, (given: Schema) => object, string][] = [
  [
    "a chat",
    "/chat/completions",
    (given) => ({ messages, response_format: asked(given) }),
    "response_format",
  ],
  ["a chat's tool", "/chat/completions", (given) => ({ messages, ...tool(given) }), "tools"],
  [
    "a response",
    "/responses",
    (given) => ({
      input: "Describe a boat",
      text: { format: { type: "json_schema", name: "boat", schema: given, strict: true } },
    }),
    "text.format",
  ],
  [
    "a response's tool",
    "/responses",
    (given) => ({ input: "Describe a boat", ...responseTool(given) }),
    "tools",
  ],
  [
    "a message",
    "/messages",
    (given) => ({ ...message, output_config: { format: { type: "json_schema", schema: given } } }),
    "output_config.format",
  ],
  ["a message's tool", "/messages", (given) => ({ ...message, ...messageTool(given) }), "tools"],
];

describe("structured outputs of the sandbox fit the schema", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const openai = shared(() => new OpenAI({ baseURL: gateway.url, apiKey: account.key, maxRetries: 0 }));

  const post = (path: string, body: object) =>
    fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
      body: JSON.stringify({ model, ...body }),
    });

  it.each(entrances)("%s: whole and streamed, with the sandbox's header", async (_, path, body) => {
    const whole = await post(path, body(schema));
    expect(whole.headers.get("x-svc-sandbox")).toBe("true");
    const boat = Boat.parse(madeIn(await whole.json()));
    expect(boat.name).toBe(mark);
    const stream = await post(path, { ...body(schema), stream: true });
    expect(stream.headers.get("x-svc-sandbox")).toBe("true");
    expect(JSON.parse(joined(await stream.text()))).toEqual(boat);
  });

  it.each(entrances)("%s: a schema that nothing fits is refused by name", async (_, path, body, param) => {
    for (const stream of [false, true]) {
      const answer = await post(path, { ...body(impossible), stream });
      expect(answer.status).toBe(400);
      expect((await answer.json()).error).toMatchObject({
        code: "invalid_parameter",
        param,
        message: expect.stringContaining(`${param} has a schema that no value of the sandbox fits`),
      });
    }
  });

  it("fits in rows of a batch, and says which row's schema nothing fits", async () => {
    const row = (custom_id: string, given: Schema) =>
      JSON.stringify({
        ...{ custom_id, method: "POST", url: "/v1/chat/completions" },
        body: { model, messages, response_format: asked(given) },
      });
    const text = [row("fits", schema), row("none", impossible)].join("\n");
    const file = await openai.files.create({
      file: await toFile(Buffer.from(text), "b.jsonl"),
      purpose: "batch",
    });
    const made = {
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    } as const;
    const { id } = await openai.batches.create(made);
    const read = () => openai.batches.retrieve(id);
    await expect.poll(async () => (await read()).status).toBe("completed");
    const { output_file_id: output, error_file_id: errors } = await read();
    const lines = async (of: string | undefined) =>
      JSON.parse(await (await openai.files.content(String(of))).text());
    const good = await lines(output);
    expect(Boat.parse(madeIn(good.response.body)).name).toBe(mark);
    expect(JSON.stringify(await lines(errors))).toContain("no value of the sandbox fits");
  });

  it("openai with zod: chat.completions.parse and responses.parse", async () => {
    const chat = await openai.chat.completions.parse({
      model,
      messages,
      response_format: zodResponseFormat(Boat, "boat"),
    });
    expect(chat.choices[0]?.message.parsed?.name).toBe(mark);
    const response = await openai.responses.parse({
      model,
      input: "A boat",
      text: { format: zodTextFormat(Boat, "boat") },
    });
    expect(response.output_parsed?.name).toBe(mark);
  });

  it("ai: generateObject", async () => {
    const provider = createOpenAICompatible({
      name: "gatehouse",
      baseURL: gateway.url,
      apiKey: account.key,
      supportsStructuredOutputs: true,
    });
    const { object } = await generateObject({
      model: provider(model),
      schema: jsonSchema<z.infer<typeof Boat>>(schema),
      prompt: "A boat",
    });
    expect(Boat.parse(object).name).toBe(mark);
  });

  it("anthropic: output_config and a tool", async () => {
    const anthropic = new Anthropic({
      baseURL: gateway.url.replace(/\/v1$/, ""),
      apiKey: account.key,
      maxRetries: 0,
    });
    const answer = await anthropic.messages.create({
      model,
      ...message,
      output_config: { format: { type: "json_schema", schema } },
    });
    expect(Boat.parse(madeIn(answer)).name).toBe(mark);
  });
});

interface Whole {
  choices?: { message: { content: string | null; tool_calls?: { function: { arguments: string } }[] } }[];
  output?: { arguments?: string; content?: { text: string }[] }[];
  content?: { text?: string; input?: unknown }[];
}

/** The JSON of a whole answer: its text, or the arguments of its call. */
function madeIn(answer: unknown): unknown {
  const { choices, output, content } = answer as Whole;
  const said = choices?.[0]?.message;
  const item = output?.at(-1);
  const block = content?.at(-1);
  if (block?.input) return block.input;
  const call = said?.tool_calls?.[0]?.function.arguments ?? item?.arguments;
  return JSON.parse(said?.content ?? call ?? item?.content?.[0]?.text ?? block?.text ?? "");
}

/** The JSON of a stream: every piece of text or arguments, in order. */
function joined(stream: string): string {
  let text = "";
  for (const [, data = ""] of stream.matchAll(/^data: (\{.*)$/gm)) {
    const { type, choices, delta } = JSON.parse(data);
    const said = choices?.[0]?.delta;
    if (said) text += said.content ?? said.tool_calls?.[0]?.function.arguments ?? "";
    else if (type?.endsWith(".delta")) text += delta;
    else if (type === "content_block_delta") text += delta.text ?? delta.partial_json ?? "";
  }
  return text;
}
