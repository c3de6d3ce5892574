import { byName } from "#contract/by-name.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { type ChatApi, completeAnswer, type EventReader, streamAnswer } from "../chat-answers.ts";
import { type AskAboutModel, type ModelDescription, tokensOf } from "../descriptions.ts";
import { estimatedUsage, withEstimate } from "../estimated-usage.ts";
import { invalidAnswer, numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { refusalOf } from "../http/refusal.ts";
import { readOpenAiFault } from "../openai/chat.ts";
import {
  listed,
  type Mapped,
  noJobs,
  otherServer,
  type Protocol,
  type ProtocolFacts,
  preset,
  supportsKind,
} from "../protocol.ts";
import type {
  ChatChunk,
  ChatCompletion,
  ChatMessage,
  ChatUsage,
  Provider,
  ProviderRequest,
} from "../provider.ts";
import { anthropicName, messageBody, nativeBodyOf } from "./request.ts";

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
    otherServer("anthropic", "Anthropic's API", ["chat-completions"]),
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
    execute: (request) => completeAnswer(mapped, request, messageApi(mapped, request)),
    countTokens: (request) => countMessage(mapped, request),
    stream: (request) => streamAnswer(mapped, request, messageApi(mapped, request), new MessageReader()),
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

/** How a message is asked for and read. A client that speaks Messages gets the upstream's own answer or events. */
function messageApi(mapped: Mapped, request: ProviderRequest): ChatApi {
  const native = nativeBodyOf(request);
  return {
    path,
    body: () => messageBody(request, mapped, native),
    headers: betasOf(request),
    read: (answer) => completionOf(answer, request),
    native: native !== null,
  };
}

function completionOf(answer: Record<string, unknown>, request: ProviderRequest): ChatCompletion {
  if (answer.type === "error") throw errorOf(answer);
  if (!Array.isArray(answer.content)) throw invalidAnswer("The provider's message has no content.");
  const message = messageOf(recordsOf(answer.content));
  const counted = usageOf(recordOf(answer.usage));
  const usage = isWhole(counted, answer.usage)
    ? counted
    : withEstimate(counted, estimatedUsage(request, [message]));
  return {
    choices: [{ index: 0, message, finish_reason: finishOf(answer), logprobs: null }],
    usage,
  };
}

function finishOf({ stop_reason: given }: Record<string, unknown>): string | null {
  const reason = textOf(given);
  return reason === null ? null : (finishReasons[reason] ?? reason);
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
        const usage = usageOf(this.usage);
        return {
          choices: [{ index: 0, delta: {}, finish_reason: finishOf(recordOf(event.delta)) }],
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
