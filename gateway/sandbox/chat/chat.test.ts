import { describe, expect, it } from "vitest";
import type { ChatChunk, ChatCompletion } from "#gateway/models/providers/provider.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startSandbox } from "../testing/fixture.ts";
import { tokensOf } from "./chat.ts";

const test = shared(startSandbox);

async function ask(input: Record<string, unknown>): Promise<ChatCompletion> {
  const result = await test.sandbox.execute(await test.request("chat-1", "chat-completions", input));
  if (result.kind !== "chat") throw new Error(result.kind);
  return result.completion;
}
async function content(input: Record<string, unknown>): Promise<string> {
  return (await ask(input)).choices[0]?.message.content ?? "";
}
const hello = [{ role: "user", content: "Tell me of harbours." }];

describe("a sandbox chat", () => {
  it("says that no model ran, and repeats the request", async () => {
    const text = await content({ messages: [{ role: "system", content: "Be kind." }, ...hello] });
    expect(text).toMatch(/^\*\*Sandbox reply/);
    expect(text).toContain("Tell me of harbours.");
    expect(text).toContain("2 messages");
    expect(text).toContain("a system prompt of 8 characters");
  });

  it("stops at max_tokens, and says so", async () => {
    const completion = await ask({ messages: hello, max_tokens: 7 });
    expect(completion.choices[0]?.finish_reason).toBe("length");
    expect(completion.usage.completion_tokens).toBe(7);
    expect(tokensOf(completion.choices[0]?.message.content ?? "")).toHaveLength(7);
  });

  it.each([
    ["low", 1],
    ["medium", 3],
    ["high", 6],
  ])("shows as many steps as its reasoning effort allows: %s", async (effort, steps) => {
    const text = await content({ messages: hello, reasoning_effort: effort });
    const bullets = text.split("Reasoning effort")[1]?.split("\n\n")[1]?.split("\n") ?? [];
    expect(bullets).toHaveLength(steps);
  });

  it("chooses its phrasing by temperature", async () => {
    const opening = async (temperature: number) =>
      (await content({ messages: hello, temperature })).split("\n")[0];
    const warm = await Promise.all([0.3, 0.7, 1, 1.4, 2].map(opening));
    expect(new Set([await opening(0), ...warm]).size).toBeGreaterThan(1);
    expect(await opening(0.7)).toBe(await opening(0.7));
  });

  it("quotes a tool's result", async () => {
    const call = { id: "call_1", type: "function", function: { name: "sea", arguments: "{}" } };
    const text = await content({
      messages: [
        ...hello,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: "calm, 14 degrees" },
      ],
    });
    expect(text).toContain("> calm, 14 degrees");
  });

  it("calls a tool by the phrase and by tool_choice", async () => {
    const phrase = await ask({ messages: [{ role: "user", content: '/tool tide {"port": "Oban"}' }] });
    expect(phrase.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, tool_calls: [{ function: { name: "tide", arguments: '{"port":"Oban"}' } }] },
    });
    const parameters = {
      type: "object",
      properties: { port: { type: "string" }, days: { type: "integer" } },
    };
    const tools = [{ type: "function", function: { name: "tide", parameters } }];
    const required = await ask({ messages: hello, tools, tool_choice: "required" });
    const called = required.choices[0]?.message.tool_calls?.[0]?.function;
    expect(JSON.parse(called?.arguments ?? "")).toEqual({ port: "Tell me of harbours.", days: 1 });
  });

  it("refuses tool arguments that are not JSON, naming the field", async () => {
    await expect(ask({ messages: [{ role: "user", content: "/tool tide {port}" }] })).rejects.toMatchObject({
      code: "invalid_parameter",
      param: "messages",
    });
  });

  it("answers in JSON when asked to, and ends at a stop word", async () => {
    const json = await content({ messages: hello, response_format: { type: "json_object" } });
    expect(JSON.parse(json)).toMatchObject({ sandbox: true, messages: 1 });
    expect(await content({ messages: hello, stop: ["Your last"] })).not.toContain("Your last");
  });
});

describe("a sandbox stream", () => {
  it("has the same text as the complete answer, with usage at its end", async () => {
    const request = await test.request("chat-1", "chat-completions", { messages: hello, max_tokens: 12 });
    const chunks: ChatChunk[] = [];
    for await (const chunk of test.sandbox.stream(request)) chunks.push(chunk);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(await content({ messages: hello, max_tokens: 12 }));
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ finish_reason: "length" }],
      usage: { completion_tokens: 12 },
    });
  });

  it("ends at once when the client leaves", async () => {
    const gone = new AbortController();
    const request = await test.request("chat-1", "chat-completions", { messages: hello });
    let chunks = 0;
    const reading = (async () => {
      for await (const _ of test.sandbox.stream({ ...request, signal: gone.signal }))
        if (++chunks === 3) gone.abort();
    })();
    await expect(reading).rejects.toThrow();
    expect(chunks).toBe(3);
  });
});
