import { expect, it } from "vitest";
import type { ChatChunk } from "#gateway/models/providers/provider.ts";
import { MessageFormatter } from "./format-message.ts";

const stamp = {
  id: "gen_00000000000000000000000000",
  created: 0,
  model: "own/model",
  svc_region: "us-oregon" as const,
};
const usage = {
  prompt_tokens: 9,
  completion_tokens: 5,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4 },
};

function told(deltas: Record<string, unknown>[]) {
  const formatter = new MessageFormatter(stamp, true);
  const chunks: ChatChunk[] = deltas.map((delta) => ({
    choices: [{ index: 0, delta, finish_reason: null }],
  }));
  const choices = [
    {
      index: 0,
      message: { role: "assistant" as const, content: null, refusal: null },
      finish_reason: "tool_calls",
      logprobs: null,
    },
  ];
  const text =
    formatter.head() +
    chunks.map((chunk) => formatter.chunk(chunk)).join("") +
    formatter.end({ ...stamp, object: "chat.completion", choices, usage });
  return { events: eventsOf(text), message: formatter.body() };
}
function eventsOf(text: string) {
  return text
    .trim()
    .split("\n\n")
    .map((block) => JSON.parse(block.split("\ndata: ")[1] ?? "") as Record<string, unknown>);
}
const call = (index: number, piece: string, id?: string) => ({
  tool_calls: [
    { index, ...(id && { id }), function: { ...(id && { name: `${id}_name` }), arguments: piece } },
  ],
});

it("never has two blocks open, and keeps each call's input whole, in whatever order the pieces arrive", () => {
  const { events, message } = told([
    { reasoning_content: "Both." },
    call(0, '{"a"', "one"),
    call(1, '{"b"', "two"),
    call(0, ":1}"),
    call(1, ":2}"),
  ]);
  let open: unknown = null;
  for (const { type, index } of events) {
    if (type === "content_block_start") {
      expect(open).toBeNull();
      open = index;
    }
    if (type === "content_block_delta") expect(index).toBe(open);
    if (type === "content_block_stop") {
      expect(index).toBe(open);
      open = null;
    }
  }
  const caller = { type: "direct" };
  expect(message.content).toEqual([
    { type: "thinking", thinking: "Both.", signature: "" },
    { type: "tool_use", id: "one", name: "one_name", input: { a: 1 }, caller },
    { type: "tool_use", id: "two", name: "two_name", input: { b: 2 }, caller },
  ]);
  expect(message).toMatchObject({
    stop_reason: "tool_use",
    usage: { input_tokens: 5, cache_read_input_tokens: 4, output_tokens: 5 },
  });
});

it("passes on signed and hidden parts of an upstream, and signs nothing itself", () => {
  const { message } = told([
    {
      reasoning_content: "Hm.",
      reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "abc" }],
    },
    { reasoning_details: [{ type: "reasoning.encrypted", data: "xyz" }] },
    { content: "Yes." },
  ]);
  expect(message.content).toEqual([
    { type: "thinking", thinking: "Hm.", signature: "abc" },
    { type: "redacted_thinking", data: "xyz" },
    { type: "text", text: "Yes.", citations: null },
  ]);
  // Anthropic's schema of a message requires these.
  expect(message.usage).toMatchObject({
    ...{ cache_creation: null, output_tokens_details: null, server_tool_use: null },
    ...{ service_tier: null, inference_geo: null },
  });
});

it("sends an object as the input of a call that was cut off", () => {
  expect(told([call(0, '{"a":', "one")]).message.content).toMatchObject([{ type: "tool_use", input: {} }]);
});

it.each([
  ["at the beginning", { input_tokens: 12, cache_read_input_tokens: 3 }, { output_tokens: 7 }],
  ["at the end", { input_tokens: 0 }, { input_tokens: 12, cache_read_input_tokens: 3, output_tokens: 7 }],
  [
    "with nulls at the end",
    { input_tokens: 12, cache_read_input_tokens: 3 },
    { input_tokens: null, output_tokens: 7 },
  ],
])("fills in the counts of a Messages upstream that reports its input %s", (_when, first, last) => {
  const events = streamed([
    { type: "message_start", message: { usage: first } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: last },
    { type: "message_stop" },
  ]);
  expect(events.map(({ type }) => type)).toEqual(["message_start", "ping", "message_delta", "message_stop"]);
  expect(events[0]).toMatchObject({ message: { id: expect.stringContaining("msg_"), usage: first } });
  expect(events[2]).toMatchObject({
    delta: { stop_reason: "end_turn" },
    usage: { input_tokens: 12, cache_read_input_tokens: 3, output_tokens: 7 },
  });
});

it.each([
  ["the end", [{ type: "message_delta", delta: { stop_reason: "max_tokens" } }], "max_tokens"],
  ["the stop reason", [{ type: "message_stop" }], "end_turn"],
  ["both", [], "end_turn"],
])("completes a message whose upstream left out %s", (_, last, reason) => {
  const events = streamed([{ type: "message_start", message: { usage: { input_tokens: 3 } } }, ...last]);
  expect(events.map(({ type }) => type)).toEqual(["message_start", "ping", "message_delta", "message_stop"]);
  expect(events[2]).toMatchObject({ delta: { stop_reason: reason } });
});

it("reports the gateway's own count when a Messages upstream reports none", () => {
  const events = streamed([
    { type: "message_start", message: {} },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ]);
  expect(events[2]).toMatchObject({
    usage: { input_tokens: 5, cache_read_input_tokens: 4, output_tokens: 5 },
  });
});

function streamed(natives: Record<string, unknown>[]) {
  const formatter = new MessageFormatter(stamp, true);
  const text = natives.map((native) => formatter.chunk({ choices: [], native })).join("");
  return eventsOf(text + formatter.end({ ...stamp, object: "chat.completion", choices: [], usage }));
}
