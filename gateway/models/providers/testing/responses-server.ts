import { sendJson, startUpstream, type UpstreamServer } from "./upstream-server.ts";

const annotation = {
  type: "url_citation",
  url: "https://example.com/",
  title: "Sky",
  start_index: 0,
  end_index: 4,
};
const text = "Blue light scatters most.";
const output = [
  {
    id: "rs_upstream1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "It is about wavelengths." }],
    encrypted_content: "sealed-by-the-upstream",
  },
  {
    id: "ws_upstream2",
    type: "web_search_call",
    status: "completed",
    action: { type: "search", query: "sky" },
  },
  {
    id: "msg_upstream3",
    type: "message",
    role: "assistant",
    status: "completed",
    phase: "final_answer",
    content: [{ type: "output_text", text, annotations: [annotation], logprobs: [] }],
  },
  {
    id: "fc_upstream4",
    type: "function_call",
    status: "completed",
    call_id: "call_1",
    name: "weather",
    arguments: '{"city":"Bergen"}',
  },
];
const whole = {
  id: "resp_upstream",
  object: "response",
  status: "completed",
  error: null,
  incomplete_details: null,
  model: "upstream-model",
  output,
  service_tier: "flex",
  usage: {
    input_tokens: 40,
    input_tokens_details: { cached_tokens: 30 },
    output_tokens: 12,
    output_tokens_details: { reasoning_tokens: 8 },
    total_tokens: 52,
  },
};

export interface ResponsesServer extends UpstreamServer {
  protocol: "openai-responses";
  /** How the next responses end; `cut`: the stream stops before its end. */
  ending: "completed" | "failed" | "cut";
}

/** OpenAI's Responses API, as its reference describes it. */
export async function startResponsesServer(): Promise<ResponsesServer> {
  const server = await startUpstream((seen, response) => {
    if (seen.path.startsWith("/v1/models")) return sendJson(response, { data: [{ id: "big-mind" }] });
    const failed = { ...whole, status: "failed", error: { code: "server_error", message: "It broke." } };
    if (seen.json().stream !== true) return sendJson(response, state.ending === "failed" ? failed : whole);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const last =
      state.ending === "failed"
        ? [{ type: "response.failed", response: failed }]
        : [{ type: "response.completed", response: whole }];
    const all = [...events(), ...(state.ending === "cut" ? [] : last)];
    for (const [at, event] of all.entries())
      response.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`);
    response.end();
  });
  const state: ResponsesServer = Object.assign(server, {
    protocol: "openai-responses" as const,
    ending: "completed" as const,
  });
  return state;
}

function events(): { type: string; [more: string]: unknown }[] {
  const begun = { ...whole, status: "in_progress", output: [], usage: null };
  return [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap((item, output_index) => [
      {
        type: "response.output_item.added",
        output_index,
        item: { ...item, ...empty(item), status: "in_progress" },
      },
      ...inside(item).map((event) => ({ ...event, output_index, item_id: item.id })),
      { type: "response.output_item.done", output_index, item },
    ]),
  ];
}

/** An item without any content yet. */
function empty({ type }: { type: string }): object {
  if (type === "reasoning") return { summary: [], encrypted_content: undefined };
  return type === "message" ? { content: [] } : type === "function_call" ? { arguments: "" } : {};
}

function inside({ type }: { type: string }): { type: string; [more: string]: unknown }[] {
  if (type === "reasoning")
    return [
      {
        type: "response.reasoning_summary_part.added",
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      },
      { type: "response.reasoning_summary_text.delta", summary_index: 0, delta: "It is about wavelengths." },
      { type: "response.reasoning_summary_text.done", summary_index: 0, text: "It is about wavelengths." },
      {
        type: "response.reasoning_summary_part.done",
        summary_index: 0,
        part: { type: "summary_text", text: "It is about wavelengths." },
      },
    ];
  if (type === "web_search_call")
    return [{ type: "response.web_search_call.searching" }, { type: "response.web_search_call.completed" }];
  if (type === "function_call")
    return [
      { type: "response.function_call_arguments.delta", delta: '{"city":"Bergen"}' },
      { type: "response.function_call_arguments.done", name: "weather", arguments: '{"city":"Bergen"}' },
    ];
  const part = { type: "output_text", text, annotations: [annotation], logprobs: [] };
  return [
    { type: "response.content_part.added", content_index: 0, part: { ...part, text: "", annotations: [] } },
    ...text
      .split(/(?<= )/)
      .map((delta) => ({ type: "response.output_text.delta", content_index: 0, delta, logprobs: [] })),
    { type: "response.output_text.annotation.added", content_index: 0, annotation_index: 0, annotation },
    { type: "response.output_text.done", content_index: 0, text, logprobs: [] },
    { type: "response.content_part.done", content_index: 0, part },
  ];
}
