import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Mapped } from "../protocol.ts";
import type { ChatChunk, ProviderRequest } from "../provider.ts";
import { streamChat } from "./chat.ts";

/** Recorded answers of these servers to `stream: true`, shortened to their first and last events. */
const recorded = {
  openai: [
    'data: {"id":"chatcmpl-C1","object":"chat.completion.chunk","created":1757000000,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"aB3"}',
    'data: {"id":"chatcmpl-C1","object":"chat.completion.chunk","created":1757000000,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":"Grüße 🌊"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}',
    'data: {"id":"chatcmpl-C1","object":"chat.completion.chunk","created":1757000000,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null,"obfuscation":"yy"}',
    'data: {"id":"chatcmpl-C1","object":"chat.completion.chunk","created":1757000000,"model":"gpt-4o-mini-2024-07-18","service_tier":"default","system_fingerprint":"fp_1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}},"obfuscation":"z"}',
    "data: [DONE]",
  ],
  // Azure's first event is about the prompt and has no choice.
  azure: [
    'data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}',
    'data: {"choices":[{"content_filter_results":{},"delta":{"content":"Grüße 🌊","refusal":null,"role":"assistant"},"finish_reason":null,"index":0,"logprobs":null}],"created":1757000000,"id":"chatcmpl-A","model":"gpt-4o","object":"chat.completion.chunk","usage":null}',
    'data: {"choices":[{"content_filter_results":{},"delta":{},"finish_reason":"stop","index":0,"logprobs":null}],"created":1757000000,"id":"chatcmpl-A","model":"gpt-4o","object":"chat.completion.chunk","usage":null}',
    'data: {"choices":[],"created":1757000000,"id":"chatcmpl-A","model":"gpt-4o","object":"chat.completion.chunk","usage":{"completion_tokens":4,"prompt_tokens":9,"total_tokens":13}}',
    "data: [DONE]",
  ],
  // Comments while waiting, thoughts first, usage in the last event.
  deepseek: [
    ": keep-alive",
    ": keep-alive",
    'data: {"id":"d1","object":"chat.completion.chunk","created":1757000000,"model":"deepseek-reasoner","system_fingerprint":"fp_d","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""},"logprobs":null,"finish_reason":null}]}',
    'data: {"id":"d1","object":"chat.completion.chunk","created":1757000000,"model":"deepseek-reasoner","system_fingerprint":"fp_d","choices":[{"index":0,"delta":{"content":null,"reasoning_content":"好的，"},"logprobs":null,"finish_reason":null}]}',
    'data: {"id":"d1","object":"chat.completion.chunk","created":1757000000,"model":"deepseek-reasoner","system_fingerprint":"fp_d","choices":[{"index":0,"delta":{"content":"Grüße 🌊","reasoning_content":null},"logprobs":null,"finish_reason":null}]}',
    'data: {"id":"d1","object":"chat.completion.chunk","created":1757000000,"model":"deepseek-reasoner","system_fingerprint":"fp_d","choices":[{"index":0,"delta":{"content":"","reasoning_content":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":2},"prompt_cache_hit_tokens":0,"prompt_cache_miss_tokens":9}}',
    "data: [DONE]",
  ],
  openrouter: [
    ": OPENROUTER PROCESSING",
    'data: {"id":"gen-1","provider":"X","model":"v/m","object":"chat.completion.chunk","created":1757000000,"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"好的，","reasoning_details":[{"type":"reasoning.text","text":"好的，"}]},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}',
    'data: {"id":"gen-1","provider":"X","model":"v/m","object":"chat.completion.chunk","created":1757000000,"choices":[{"index":0,"delta":{"role":"assistant","content":"Grüße 🌊"},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}',
    'data: {"id":"gen-1","provider":"X","model":"v/m","object":"chat.completion.chunk","created":1757000000,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop","native_finish_reason":"STOP","logprobs":null}]}',
    'data: {"id":"gen-1","provider":"X","model":"v/m","object":"chat.completion.chunk","created":1757000000,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null,"native_finish_reason":null,"logprobs":null}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"cost":0.0001,"is_byok":false}}',
    "data: [DONE]",
  ],
  // Usage so far in every event, no `finish_reason` until the end.
  xai: [
    'data: {"id":"e4","object":"chat.completion.chunk","created":1757000000,"model":"grok","choices":[{"index":0,"delta":{"content":"Grüße","role":"assistant"}}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11},"system_fingerprint":"fp_x"}',
    'data: {"id":"e4","object":"chat.completion.chunk","created":1757000000,"model":"grok","choices":[{"index":0,"delta":{"content":" 🌊","role":"assistant"}}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13},"system_fingerprint":"fp_x"}',
    'data: {"id":"e4","object":"chat.completion.chunk","created":1757000000,"model":"grok","choices":[{"index":0,"delta":{"content":"","role":"assistant"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13},"system_fingerprint":"fp_x"}',
    "data: [DONE]",
  ],
  // Usage under a different name.
  groq: [
    'data: {"id":"g","object":"chat.completion.chunk","created":1757000000,"model":"llama","system_fingerprint":"fp_g","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"x_groq":{"id":"req_1"}}',
    'data: {"id":"g","object":"chat.completion.chunk","created":1757000000,"model":"llama","system_fingerprint":"fp_g","choices":[{"index":0,"delta":{"content":"Grüße 🌊"},"logprobs":null,"finish_reason":null}]}',
    'data: {"id":"g","object":"chat.completion.chunk","created":1757000000,"model":"llama","system_fingerprint":"fp_g","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"x_groq":{"id":"req_1","usage":{"queue_time":0.1,"prompt_tokens":9,"prompt_time":0.1,"completion_tokens":4,"completion_time":0.1,"total_tokens":13,"total_time":0.2}}}',
    "data: [DONE]",
  ],
  // Thoughts and text as parts of the content.
  mistral: [
    'data: {"id":"m","object":"chat.completion.chunk","created":1757000000,"model":"magistral","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
    'data: {"id":"m","object":"chat.completion.chunk","created":1757000000,"model":"magistral","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"好的，"}]}]},"finish_reason":null}]}',
    'data: {"id":"m","object":"chat.completion.chunk","created":1757000000,"model":"magistral","choices":[{"index":0,"delta":{"content":"Grüße 🌊"},"finish_reason":null}]}',
    'data: {"id":"m","object":"chat.completion.chunk","created":1757000000,"model":"magistral","choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"total_tokens":13,"completion_tokens":4}}',
    "data: [DONE]",
  ],
  // No space after the colon, a different finish reason, no usage.
  tgi: [
    'data:{"id":"","object":"chat.completion.chunk","created":1757000000,"model":"tgi","system_fingerprint":"2.0","choices":[{"index":0,"delta":{"role":"assistant","content":"Grüße"},"logprobs":null,"finish_reason":null}]}',
    'data:{"id":"","object":"chat.completion.chunk","created":1757000000,"model":"tgi","system_fingerprint":"2.0","choices":[{"index":0,"delta":{"role":"assistant","content":" 🌊"},"logprobs":null,"finish_reason":"eos_token"}]}',
  ],
  llamaCpp: [
    'data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1757000000,"id":"chatcmpl-l","model":"m.gguf","system_fingerprint":"b5000","object":"chat.completion.chunk"}',
    'data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"Grüße 🌊"}}],"created":1757000000,"id":"chatcmpl-l","model":"m.gguf","system_fingerprint":"b5000","object":"chat.completion.chunk"}',
    'data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1757000000,"id":"chatcmpl-l","model":"m.gguf","system_fingerprint":"b5000","object":"chat.completion.chunk"}',
    'data: {"choices":[],"created":1757000000,"id":"chatcmpl-l","model":"m.gguf","system_fingerprint":"b5000","object":"chat.completion.chunk","usage":{"completion_tokens":4,"prompt_tokens":9,"total_tokens":13},"timings":{"prompt_n":9,"predicted_n":4}}',
    "data: [DONE]",
  ],
  // Event names and ids, as a proxy adds them.
  dashScope: [
    'id:1\nevent:result\n:HTTP_STATUS/200\ndata:{"choices":[{"delta":{"content":"","role":"assistant"},"index":0,"logprobs":null,"finish_reason":null}],"object":"chat.completion.chunk","usage":null,"created":1757000000,"system_fingerprint":null,"model":"qwen-plus","id":"chatcmpl-q"}',
    'id:2\nevent:result\ndata:{"choices":[{"finish_reason":null,"delta":{"content":"Grüße 🌊"},"index":0,"logprobs":null}],"object":"chat.completion.chunk","usage":null,"created":1757000000,"model":"qwen-plus","id":"chatcmpl-q"}',
    'data: {"choices":[{"finish_reason":"stop","delta":{"content":""},"index":0,"logprobs":null}],"object":"chat.completion.chunk","usage":null,"created":1757000000,"model":"qwen-plus","id":"chatcmpl-q"}',
    'data: {"choices":[],"object":"chat.completion.chunk","usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13,"prompt_tokens_details":{"cached_tokens":0}},"created":1757000000,"model":"qwen-plus","id":"chatcmpl-q"}',
    "data: [DONE]",
  ],
} as const;

type Dialect = keyof typeof recorded;
const thinking: Dialect[] = ["deepseek", "openrouter", "mistral"];

/** Different ways to split the same bytes. */
const arrivals: Record<string, (text: string) => Buffer[]> = {
  "in one piece": (text) => [Buffer.from(text)],
  "byte by byte": (text) => [...Buffer.from(text)].map((byte) => Buffer.from([byte])),
  "with CRLF, byte by byte": (text) =>
    [...Buffer.from(text.replaceAll("\n", "\r\n"))].map((byte) => Buffer.from([byte])),
  "without the last blank line": (text) => [Buffer.from(text.trimEnd()), Buffer.from("\n")],
};

const whole: (text: string) => Buffer[] = (text) => [Buffer.from(text)];

async function read(events: readonly string[], arrive = whole) {
  const body = Readable.from(arrive(`${events.join("\n\n")}\n\n`));
  const upstream = {
    open: async () => ({ status: 200, headers: { "content-type": "text/event-stream" }, body }),
  };
  const mapped = { upstream, model: "m" } as unknown as Mapped;
  const request = {
    input: {},
    media: [],
    signal: new AbortController().signal,
  } as unknown as ProviderRequest;
  const chunks: ChatChunk[] = [];
  for await (const chunk of streamChat(mapped, request)) chunks.push(chunk);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const joined = (name: string) => choices.map(({ delta }) => delta[name] ?? "").join("");
  return {
    content: joined("content"),
    thoughts: joined("reasoning_content"),
    finish: choices.map(({ finish_reason }) => finish_reason).findLast((reason) => reason !== null),
    tokens: chunks.findLast(({ usage }) => usage)?.usage?.total_tokens,
    calls: choices.flatMap(({ delta }) => (delta.tool_calls as object[] | undefined) ?? []),
  };
}

describe("the streams of servers that call themselves compatible with OpenAI", () => {
  it.each(Object.keys(recorded) as Dialect[])("%s", async (dialect) => {
    for (const [how, arrive] of Object.entries(arrivals))
      expect(await read(recorded[dialect], arrive), how).toEqual({
        content: "Grüße 🌊",
        thoughts: thinking.includes(dialect) ? "好的，" : "",
        finish: "stop",
        tokens: dialect === "tgi" ? undefined : 13,
        calls: [],
      });
  });

  it("assembles tool calls whose pieces have no index, the same index or empty ids", async () => {
    const event = (calls: object[], finish: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: finish }] })}`;
    const gemini = await read([
      event([{ id: "a", type: "function", function: { name: "weather", arguments: '{"city":' } }]),
      event([{ id: "", type: "", function: { arguments: '"Bergen"}' } }]),
      event([{ id: "b", type: "function", function: { name: "time", arguments: "{}" } }], "stop"),
    ]);
    expect(gemini.calls).toEqual([
      { index: 0, id: "a", type: "function", function: { name: "weather", arguments: '{"city":' } },
      { index: 0, function: { arguments: '"Bergen"}' } },
      { index: 1, id: "b", type: "function", function: { name: "time", arguments: "{}" } },
    ]);
    const ollama = await read([
      event([{ id: "call_1", index: 0, function: { name: "weather", arguments: "{}" } }]),
      event([{ id: "call_2", index: 0, function: { name: "time", arguments: "{}" } }], "tool_calls"),
    ]);
    expect(ollama.calls).toMatchObject([{ index: 0 }, { index: 1 }]);
    const deepseek = await read([
      event([{ id: "x", index: 0, function: { name: "weather", arguments: "" } }]),
      event([{ id: "x", index: 0, function: { arguments: "{}" } }], "tool_calls"),
    ]);
    expect(deepseek.calls).toMatchObject([{ index: 0 }, { index: 0 }]);
  });

  it("treats a stream that stops midway as broken, even in the middle of a character", async () => {
    const cut = Buffer.from(`${recorded.openai.slice(0, 2).join("\n\n")}\n\n`);
    await expect(read([], () => [cut])).rejects.toMatchObject({ code: "upstream_stream_interrupted" });
    await expect(read([], () => [cut.subarray(0, -100)])).rejects.toMatchObject({
      code: "upstream_stream_interrupted",
    });
  });
});
