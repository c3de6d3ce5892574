import { sendJson, startUpstream, type UpstreamServer } from "./upstream-server.ts";

const content = [
  { type: "thinking", thinking: "It is about wavelengths.", signature: "signed-by-the-model" },
  { type: "redacted_thinking", data: "hidden" },
  {
    type: "text",
    text: "Blue light scatters most.",
    citations: [{ type: "char_location", cited_text: "light" }],
  },
  { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bergen" } },
];
const usage = {
  input_tokens: 12,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 7,
  output_tokens: 5,
};
const message = {
  id: "msg_upstream",
  type: "message",
  role: "assistant",
  model: "upstream-model",
  content,
  stop_reason: "tool_use",
  stop_sequence: null,
  usage,
};

export interface AnthropicServer extends UpstreamServer {
  protocol: "anthropic";
  /** Whether the next streams end in the middle with an error. */
  isOverloaded: boolean;
  /** How the server reports usage, as some servers of this protocol do; null: completely. */
  said: "nothing" | "zeros" | null;
}

/** Anthropic's Messages API, as its reference describes it. */
export async function startAnthropicServer(): Promise<AnthropicServer> {
  const server = await startUpstream((seen, response) => {
    if (seen.path.startsWith("/v1/models"))
      return sendJson(response, { data: [{ type: "model", id: "big-mind", display_name: "Big Mind" }] });
    if (seen.path.endsWith("/count_tokens")) return sendJson(response, { input_tokens: 42 });
    if (seen.json().stream !== true) return sendJson(response, counted(message));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of state.isOverloaded ? [...events().slice(0, 4), overloaded] : events())
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(counted(event))}\n\n`);
    response.end();
  });
  const state: AnthropicServer = Object.assign(server, {
    protocol: "anthropic" as const,
    isOverloaded: false,
    said: null,
  });
  /** The body with the usage that this server reports, wherever the body has it. */
  function counted(body: object): object {
    const zeros = { input_tokens: 0, output_tokens: 0 };
    if (state.said === null) return body;
    const usage = state.said === "zeros" ? zeros : undefined;
    return JSON.parse(JSON.stringify(body, (name, value) => (name === "usage" ? usage : value)));
  }
  return state;
}

const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

function events(): { type: string; [more: string]: unknown }[] {
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  return [
    { type: "message_start", message: start },
    { type: "ping" },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: "message_stop" },
  ];
}

type Block = (typeof content)[number];

function emptied(block: Block): object {
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  if (block.type === "text") return { type: "text", text: "" };
  return block.type === "tool_use" ? { ...block, input: {} } : block;
}

function deltasOf({
  type,
  thinking,
  signature,
  text,
  citations,
  input,
}: Partial<Record<string, unknown>>): object[] {
  if (type === "thinking")
    return [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    ];
  if (type === "text")
    return [
      ...String(text)
        .split(/(?<= )/)
        .map((piece) => ({ type: "text_delta", text: piece })),
      { type: "citations_delta", citation: (citations as object[])[0] },
    ];
  return type === "tool_use" ? [{ type: "input_json_delta", partial_json: JSON.stringify(input) }] : [];
}
