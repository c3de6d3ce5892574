import { byName } from "#contract/by-name.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { type AskAboutModel, type ModelDescription, tokensOf } from "../descriptions.ts";
import { estimatedUsage, withEstimate } from "../estimated-usage.ts";
import { invalidAnswer, isRecord, numberOf, parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { refusalOf } from "../http/refusal.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import { readOpenAiFault } from "../openai/chat.ts";
import {
  listed,
  type Mapped,
  noJobs,
  type Protocol,
  type ProtocolFacts,
  preset,
  supportsKind,
} from "../protocol.ts";
import type {
  ChatChunk,
  ChatMessage,
  ChatUsage,
  Provider,
  ProviderRequest,
  SyncResult,
} from "../provider.ts";
import { type EventReader, eventChunks } from "../upstreams/event-chunks.ts";

const anthropicName = "anthropic";

type Block = Record<string, unknown>;

interface Turn {
  role: "user" | "assistant";
  content: Block[];
}

/** Anthropic requires a maximum output length. */
const usualMaxTokens = 8_192;

/** Thinking tokens for each effort. */
const thoughtTokens = byName<number>({ minimal: 1_024, low: 2_048, medium: 8_192, high: 24_576 });

/**
 * The original body of a Messages client; null if the request came through another API, or an upstream could
 * not read it.
 */
function nativeBodyOf({ native }: ProviderRequest): Block | null {
  return native?.protocol === anthropicName ? native.body() : null;
}

/** The body of a message: the client's original, or built from the chat. */
async function messageBody(
  request: ProviderRequest,
  mapped: Mapped,
  native: Block | null,
): Promise<Record<string, unknown>> {
  if (native) {
    const { stream: _, region: __, ...body } = upstreamFields(native, mapped.fields);
    return { ...body, model: mapped.model };
  }
  const input = request.media.length > 0 ? await inputWithMedia(request, mapped.media) : request.input;
  const fields = upstreamFields(input, mapped.fields);
  const { maxOutputTokens } = request.operation.limits;
  const asked = numberOf(fields.max_completion_tokens) ?? numberOf(fields.max_tokens);
  const maxTokens = asked ?? numberOf(maxOutputTokens) ?? usualMaxTokens;
  const { system, turns } = turnsOf(recordsOf(fields.messages));
  const temperature = numberOf(fields.temperature);
  const stop = [fields.stop ?? []].flat();
  const tools = recordsOf(fields.tools).map(toolOf);
  const body = {
    model: mapped.model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages: turns,
    // Anthropic's temperature scale ends at 1.
    temperature: temperature === null ? undefined : Math.min(1, temperature),
    top_p: fields.top_p,
    top_k: fields.top_k,
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && { tools, tool_choice: choiceOf(fields) }),
    ...(textOf(fields.user) && { metadata: { user_id: fields.user } }),
    thinking: thinkingOf(fields, maxTokens),
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function thinkingOf({ thinking, reasoning_effort: effort }: Block, maxTokens: number): unknown {
  if (isRecord(thinking)) return thinking;
  const tokens = typeof effort === "string" ? thoughtTokens[effort] : undefined;
  // The thinking budget must be smaller than the output limit.
  return tokens && tokens < maxTokens ? { type: "enabled", budget_tokens: tokens } : undefined;
}

/** The chat's messages as turns. Consecutive messages of the same side are joined, as Anthropic expects. */
function turnsOf(messages: readonly Block[]): { system: Block[]; turns: Turn[] } {
  const system: Block[] = [];
  const turns: Turn[] = [];
  const say = (role: Turn["role"], blocks: Block[]) => {
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  };
  for (const message of messages) {
    if (message.role === "system") system.push(...blocksOf(message.content));
    else if (message.role === "assistant") say("assistant", assistantBlocks(message));
    else if (message.role === "tool")
      say("user", [
        { type: "tool_result", tool_use_id: message.tool_call_id, content: blocksOf(message.content) },
      ]);
    else say("user", blocksOf(message.content));
  }
  return { system, turns };
}

function assistantBlocks(message: Block): Block[] {
  const thoughts = recordsOf(message.reasoning_details).flatMap(
    ({ type, text, signature, data }): Block[] => {
      if (type === "reasoning.encrypted" && textOf(data)) return [{ type: "redacted_thinking", data }];
      // Anthropic rejects unsigned thoughts, so they are dropped.
      return textOf(signature) ? [{ type: "thinking", thinking: text ?? "", signature }] : [];
    },
  );
  const calls = recordsOf(message.tool_calls).map(({ id, function: called }) => {
    const { name, arguments: text } = recordOf(called);
    return { type: "tool_use", id, name, input: recordOf(parsed(textOf(text) || "{}")) };
  });
  return [...thoughts, ...blocksOf(message.content), ...calls];
}

function blocksOf(content: unknown): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return recordsOf(content).map(blockOf);
}

function blockOf(part: Block): Block {
  const cached = isRecord(part.cache_control) && { cache_control: part.cache_control };
  if (part.type === "image_url")
    return { type: "image", source: sourceOf(textOf(recordOf(part.image_url).url) ?? ""), ...cached };
  if (part.type === "file") {
    const { file_data, filename } = recordOf(part.file);
    const title = textOf(filename) && { title: filename };
    return { type: "document", source: sourceOf(textOf(file_data) ?? ""), ...title, ...cached };
  }
  if (part.type === "text" || part.type === "refusal")
    return { type: "text", text: textOf(part.text) ?? textOf(part.refusal) ?? "", ...cached };
  throw new ProviderError(
    "invalid_parameter",
    `This provider does not accept parts of type ${String(part.type)}.`,
    {
      started: "no",
      param: "messages",
    },
  );
}

function sourceOf(address: string): Block {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(address) ?? [];
  return data === undefined ? { type: "url", url: address } : { type: "base64", media_type: type, data };
}

function toolOf(tool: Block): Block {
  const { name, description, parameters, strict } = recordOf(tool.function);
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: isRecord(parameters) ? { type: "object", ...parameters } : { type: "object" },
    ...(strict === true && { strict }),
    ...(isRecord(tool.cache_control) && { cache_control: tool.cache_control }),
  };
}

function choiceOf({ tool_choice: choice, parallel_tool_calls: parallel }: Block): Block | undefined {
  const alone = parallel === false && { disable_parallel_tool_use: true };
  if (choice === "none") return { type: "none" };
  if (choice === "required") return { type: "any", ...alone };
  if (isRecord(choice)) return { type: "tool", name: recordOf(choice.function).name, ...alone };
  return choice === "auto" || alone ? { type: "auto", ...alone } : undefined;
}

const kinds = ["chat-completions"] as const;

const modelsPath = "/models?limit=1000";

const anthropicFacts: ProtocolFacts = {
  checks: () => [{ path: modelsPath, success: listed }],
  listPaths: () => [modelsPath],
  searches: false,
  describeModel: describeAnthropic,
  servicePaths: false,
  presets: [
    preset({
      id: "anthropic-messages",
      name: "Anthropic",
      base_url: "https://api.anthropic.com/v1",
      key_url: "https://console.anthropic.com/settings/keys",
      runs: ["chat-completions"],
      note: "Uses its Messages API, with signed thoughts and cached prompts.",
    }),
    preset({
      id: "anthropic-like",
      name: "Another server of Anthropic's API",
      place: "other",
      runs: ["chat-completions"],
    }),
  ],
};

/** Anthropic's Messages API; requests of its own clients pass through unchanged. */
export const anthropic: Protocol = {
  name: anthropicName,
  kinds,
  hosts: { any: "https://api.anthropic.com/v1" },
  scheme: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
  facts: anthropicFacts,
  readFault: readOpenAiFault,
  open: () => createAnthropic,
};

/**
 * Anthropic's model list contains names and maximum output lengths. All of its models read pictures and
 * documents. Throws the errors of `AskAboutModel.first`.
 */
async function describeAnthropic(ask: AskAboutModel, name: string): Promise<ModelDescription> {
  const { data } = await ask.first([modelsPath]);
  const found = recordsOf(data).find(({ id }) => id === name);
  if (!found) throw ask.unknown();
  const outputTokens = tokensOf(found.max_tokens);
  return { listed: { name, contextTokens: null, outputTokens, reads: ["text", "image", "file"] } };
}

function createAnthropic(mapped: Mapped): Provider {
  return {
    id: mapped.upstream.name,
    sandbox: false,
    restartable: false,
    speaks: anthropicName,
    supports: supportsKind(kinds, anthropicName),
    execute: (request) => completeMessage(mapped, request),
    countTokens: (request) => countMessage(mapped, request),
    stream: (request) => streamMessage(mapped, request),
    ...noJobs,
  };
}

const path = "/messages";

const finishReasons = byName<string>({
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
});

const errorStatuses = byName<number>({ overloaded_error: 503, rate_limit_error: 429, api_error: 500 });

/** Runs a message without streaming. */
async function completeMessage(mapped: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const native = nativeBodyOf(request);
  const answer = await mapped.upstream.json(request, {
    path,
    json: await messageBody(request, mapped, native),
    headers: betasOf(request),
  });
  if (!Array.isArray(answer.content)) throw invalidAnswer("The provider's message has no content.");
  const message = messageOf(recordsOf(answer.content));
  const counted = usageOf(recordOf(answer.usage));
  const usage = isWhole(counted, answer.usage)
    ? counted
    : withEstimate(counted, estimatedUsage(request, [message]));
  const reason = textOf(answer.stop_reason) ?? "end_turn";
  return {
    kind: "chat",
    completion: {
      choices: [{ index: 0, message, finish_reason: finishReasons[reason] ?? reason, logprobs: null }],
      usage,
      ...(native && { native: answer }),
    },
    usage: { unit: "token", quantity: usage.total_tokens },
  };
}

/** The input tokens of a message, counted by the upstream. */
async function countMessage(mapped: Mapped, request: ProviderRequest): Promise<number> {
  const { model, messages, system, tools, tool_choice, thinking } = await messageBody(
    request,
    mapped,
    nativeBodyOf(request),
  );
  const counted = { model, messages, system, tools, tool_choice, thinking };
  const answer = await mapped.upstream.json(request, {
    path: `${path}/count_tokens`,
    json: Object.fromEntries(Object.entries(counted).filter(([, value]) => value !== undefined)),
    headers: betasOf(request),
  });
  const tokens = numberOf(answer.input_tokens);
  if (tokens === null) throw invalidAnswer("The provider's count has no input_tokens.");
  return tokens;
}

/**
 * Streams a message as a chat, with the original events if the client speaks Messages. Throws the errors of
 * `streamChat`.
 */
async function* streamMessage(mapped: Mapped, request: ProviderRequest): AsyncGenerator<ChatChunk> {
  const native = nativeBodyOf(request);
  const json = { ...(await messageBody(request, mapped, native)), stream: true };
  const call = { path, json, headers: betasOf(request) };
  yield* eventChunks(mapped, request, call, new MessageReader(), native !== null);
}

/** Converts message events into chat chunks. */
class MessageReader implements EventReader {
  isDone = false;
  private readonly usage: Record<string, unknown> = {};
  /** For the index of each tool call's block: the call's position among the tool calls. */
  private readonly calls = new Map<unknown, number>();
  private readonly thoughts = new Map<unknown, string[]>();

  read(event: Record<string, unknown>): ChatChunk | null {
    switch (event.type) {
      case "error":
        throw errorOf(event);
      case "message_start":
        this.count(recordOf(recordOf(event.message).usage));
        return { ...chunkOf({ role: "assistant", content: "" }), ...this.soFar() };
      case "content_block_start":
        return this.start(event.index, recordOf(event.content_block));
      case "content_block_delta":
        return this.delta(event.index, recordOf(event.delta));
      case "message_delta": {
        this.count(recordOf(event.usage));
        const reason = textOf(recordOf(event.delta).stop_reason);
        const finish = reason === null ? null : (finishReasons[reason] ?? reason);
        const usage = usageOf(this.usage);
        return {
          choices: [{ index: 0, delta: {}, finish_reason: finish }],
          // Counts that the upstream does not report are estimated from the received text.
          ...(isWhole(usage, event.usage) ? { usage } : this.soFar()),
        };
      }
      case "message_stop":
        this.isDone = true;
        return null;
      default:
        return null;
    }
  }

  /** Later counts are totals, so they replace earlier ones. Cache writes are split by their lifetime. */
  private count({ cache_creation: written, ...usage }: Record<string, unknown>): void {
    if (isRecord(written)) this.usage.cache_creation = written;
    for (const [name, value] of Object.entries(usage))
      if (typeof value === "number") this.usage[name] = value;
  }

  /** The usage so far; empty if the upstream reports none. */
  private soFar(): Pick<ChatChunk, "usageSoFar"> {
    return Object.keys(this.usage).length > 0 ? { usageSoFar: usageOf(this.usage) } : {};
  }

  private start(index: unknown, block: Record<string, unknown>): ChatChunk | null {
    if (block.type === "redacted_thinking")
      return chunkOf({ reasoning_details: [{ type: "reasoning.encrypted", data: block.data }] });
    if (block.type !== "tool_use") return null;
    const place = this.calls.size;
    this.calls.set(index, place);
    const called = { name: textOf(block.name) ?? "", arguments: "" };
    return chunkOf({ tool_calls: [{ index: place, id: block.id, type: "function", function: called }] });
  }

  private delta(index: unknown, delta: Record<string, unknown>): ChatChunk | null {
    const { type } = delta;
    if (type === "text_delta") return chunkOf({ content: textOf(delta.text) ?? "" });
    if (type === "thinking_delta") {
      const thought = textOf(delta.thinking) ?? "";
      const pieces = this.thoughts.get(index) ?? [];
      this.thoughts.set(index, pieces);
      pieces.push(thought);
      return chunkOf({ reasoning_content: thought });
    }
    if (type === "signature_delta") {
      const text = (this.thoughts.get(index) ?? []).join("");
      return chunkOf({ reasoning_details: [{ type: "reasoning.text", text, signature: delta.signature }] });
    }
    const place = this.calls.get(index);
    if (type !== "input_json_delta" || place === undefined) return null;
    return chunkOf({
      tool_calls: [{ index: place, function: { arguments: textOf(delta.partial_json) ?? "" } }],
    });
  }
}

function chunkOf(delta: Record<string, unknown>): ChatChunk {
  return { choices: [{ index: 0, delta, finish_reason: null }] };
}

function messageOf(blocks: readonly Record<string, unknown>[]): ChatMessage {
  const of = (type: string) => blocks.filter((block) => block.type === type);
  const texts = of("text").map(({ text }) => textOf(text) ?? "");
  const thoughts = of("thinking").map(({ thinking }) => textOf(thinking) ?? "");
  const details = blocks.flatMap(({ type, thinking, signature, data }): object[] => {
    if (type === "redacted_thinking") return [{ type: "reasoning.encrypted", data }];
    return type === "thinking" && textOf(signature)
      ? [{ type: "reasoning.text", text: thinking, signature }]
      : [];
  });
  const calls = of("tool_use").map(({ id, name, input }) => ({
    id: textOf(id) ?? "",
    type: "function",
    function: { name: textOf(name) ?? "", arguments: JSON.stringify(input ?? {}) },
  }));
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("") : null,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join("") }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** Anthropic's `input_tokens` exclude cached ones; a chat's prompt tokens include them. */
function usageOf(usage: Record<string, unknown>): ChatUsage {
  const count = (name: string) => numberOf(usage[name]) ?? 0;
  const [read, written] = [count("cache_read_input_tokens"), count("cache_creation_input_tokens")];
  const writtenLong = numberOf(recordOf(usage.cache_creation).ephemeral_1h_input_tokens);
  const prompt = count("input_tokens") + read + written;
  const completion = count("output_tokens");
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: read,
      cache_write_tokens: written,
      ...(writtenLong && { cache_write_1h_tokens: writtenLong }),
    },
  };
}

/**
 * Whether both input and output were counted: some servers of this protocol omit the usage or report zeros.
 */
function isWhole({ prompt_tokens: prompt }: ChatUsage, last: unknown): boolean {
  return prompt > 0 && numberOf(recordOf(last).output_tokens) !== null;
}

/** The beta features that a Messages client requests. */
function betasOf({ native }: ProviderRequest): Record<string, string> {
  return native?.protocol === anthropicName && native.betas ? { "anthropic-beta": native.betas } : {};
}

function errorOf(event: Record<string, unknown>): ProviderError {
  const { type } = recordOf(event.error);
  const status = (typeof type === "string" && errorStatuses[type]) || 502;
  return refusalOf(status, readOpenAiFault(JSON.stringify(event)), {}).error;
}
