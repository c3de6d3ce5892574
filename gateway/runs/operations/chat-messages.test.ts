import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());

const chat = (body: Record<string, unknown>, model = "svc/chat-1") =>
  call(gateway, account.key, "POST", "/chat/completions", { model, ...body });
async function answerTo(messages: unknown[], more: Record<string, unknown> = {}) {
  const { status, body } = await chat({ messages, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.choices as { message: unknown }[])[0]?.message;
}
const ask = { role: "user", content: "Say the word heliotrope." };
const call1 = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };

describe("messages as clients write them", () => {
  it("mean the same as text parts and as one text", async () => {
    const parts = {
      role: "user",
      content: ["Say the word", "heliotrope."].map((text) => ({ type: "text", text })),
    };
    const text = { role: "user", content: "Say the word\nheliotrope." };
    expect(await answerTo([parts])).toEqual(await answerTo([text]));
    const result = { role: "tool", tool_call_id: "call_1" };
    const asked = [ask, { role: "assistant", content: null, tool_calls: [call1] }];
    expect(await answerTo([...asked, { ...result, content: [{ type: "text", text: "12 °C" }] }])).toEqual(
      await answerTo([...asked, { ...result, content: "12 °C" }]),
    );
  });

  it("take the role developer for system", async () => {
    const rule = { content: "Answer in capitals." };
    expect(await answerTo([{ role: "developer", ...rule }, ask])).toEqual(
      await answerTo([{ role: "system", ...rule }, ask]),
    );
  });

  it("treat null like a missing field, as in answers that clients send back", async () => {
    const said = { role: "assistant", content: "Heliotrope." };
    const echoed = { ...said, refusal: null, tool_calls: null, function_call: null, audio: null, name: null };
    expect(await answerTo([ask, echoed, ask])).toEqual(await answerTo([ask, said, ask]));
    const unset = {
      stream: null,
      max_tokens: null,
      temperature: null,
      reasoning_effort: null,
      n: null,
      tools: null,
    };
    expect(await answerTo([ask], unset)).toEqual(await answerTo([ask]));
  });

  it("are refused with the position of a part that is not text", async () => {
    const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    const { status, body } = await chat({
      messages: [ask, { role: "user", content: [{ type: "text", text: "What is it?" }, image] }],
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: "invalid_parameter",
      message:
        "messages/1/content/1 is a part of type image_url, and svc/chat-1 takes text only; a model of the operator's own can take other parts",
      param: "messages",
      details: [{ path: "/messages/1/content/1" }],
    });
    for (const content of [[], [null], ["text"], [{ type: "text" }], [{ type: "__proto__" }], 7])
      expect(
        (await chat({ messages: [{ role: "user", content }] })).body.error,
        JSON.stringify(content),
      ).toMatchObject({
        code: "invalid_parameter",
      });
  });
});

describe("parameters that only some chat models support", () => {
  it("are listed by the sandbox if it ignores them", async () => {
    const asked = { logprobs: true, top_logprobs: 2, verbosity: "low", thinking: { type: "adaptive" } };
    const kept = {
      prompt_cache_key: "a",
      store: false,
      safety_identifier: "b",
      service_tier: "auto",
      top_p: 1,
    };
    const { status, headers } = await chat({ messages: [ask], ...asked, ...kept });
    expect([status, headers.get("x-svc-ignored-params")]).toEqual([200, Object.keys(asked).join(", ")]);
  });
});

describe("the limits that a chat request sets", () => {
  it("allow several answers, each counted", async () => {
    const asked = { messages: [ask], temperature: 1, seed: 3 };
    const one = await chat(asked);
    const three = await chat({ ...asked, n: 3 });
    const choices = three.body.choices as { index: number; message: { content: string } }[];
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    const tokens = ({ body }: typeof one) => (body.usage as { completion_tokens: number }).completion_tokens;
    expect(tokens(three)).toBeGreaterThan(2 * tokens(one));
    expect((await chat({ ...asked, n: 9 })).body.error).toMatchObject({ param: "n" });
  });

  it("must fit into the model's context, estimated before the run and counted exactly by the sandbox", async () => {
    const long = async (text: string, more: object = {}, model?: string) => {
      const { status, body } = await chat({ messages: [{ role: "user", content: text }], ...more }, model);
      return [status, (body.error as { code?: string; message?: string } | undefined)?.message ?? ""];
    };
    expect(await long("a".repeat(1_200_000))).toEqual([
      400,
      "messages has at least 200,000 tokens, counted at 6 characters each; the model reads 190,000.",
    ]);
    expect(await long("one ".repeat(200_000))).toEqual([400, expect.stringMatching(/has 20000\d tokens/)]);
    expect((await long("a".repeat(1_000_000)))[0]).toBe(200);
    const [status, message] = await long("a".repeat(1_500_000), { max_tokens: 32_000 }, "svc/chat-2");
    expect([status, message]).toEqual([400, expect.stringContaining("of which the answer may take 32,000")]);
  });
});
