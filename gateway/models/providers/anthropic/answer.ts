import { byName } from "#contract/by-name.ts";
import type { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { estimatedUsage, withEstimate } from "../estimated-usage.ts";
import { invalidAnswer, isRecord, numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { refusalOf } from "../http/refusal.ts";
import { readOpenAiFault } from "../openai/fault.ts";
import type { ChatChunk, ChatMessage, ChatUsage, ProviderRequest, SyncResult } from "../provider.ts";
import { type EventReader, eventChunks } from "../upstreams/event-chunks.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { anthropicName, messageBody, nativeBodyOf } from "./request.ts";

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

/** Runs a message in one piece. */
export async function completeMessage(mapped: Mapped, request: ProviderRequest): Promise<SyncResult> {
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

/** The tokens of a message's input, as the upstream counts them. */
export async function countMessage(mapped: Mapped, request: ProviderRequest): Promise<number> {
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

/** Streams a message as a chat. Its events come along where the client is one of Messages. Throws as `streamChat`. */
export async function* streamMessage(mapped: Mapped, request: ProviderRequest): AsyncGenerator<ChatChunk> {
  const native = nativeBodyOf(request);
  const json = { ...(await messageBody(request, mapped, native)), stream: true };
  const call = { path, json, headers: betasOf(request) };
  yield* eventChunks(mapped, request, call, new MessageReader(), native !== null);
}

/** Turns the events of a message into the chunks of a chat. */
class MessageReader implements EventReader {
  isDone = false;
  private readonly usage: Record<string, unknown> = {};
  /** The place of each call's block among the calls. */
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
          // What the end does not say is estimated from the text that came.
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

  /** Later counts replace earlier ones: they are sums. What was written to the cache is split by its lifetime. */
  private count({ cache_creation: written, ...usage }: Record<string, unknown>): void {
    if (isRecord(written)) this.usage.cache_creation = written;
    for (const [name, value] of Object.entries(usage))
      if (typeof value === "number") this.usage[name] = value;
  }

  /** What was counted until now; nothing where the upstream counts nothing. */
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

/** Anthropic's `input_tokens` are those beside the cache; a chat's prompt is all that was read. */
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

/** Whether both sides were counted: some servers of this protocol leave the usage out, or say zeros. */
function isWhole({ prompt_tokens: prompt }: ChatUsage, last: unknown): boolean {
  return prompt > 0 && numberOf(recordOf(last).output_tokens) !== null;
}

/** What the client of Messages tries out. */
function betasOf({ native }: ProviderRequest): Record<string, string> {
  return native?.protocol === anthropicName && native.betas ? { "anthropic-beta": native.betas } : {};
}

function errorOf(event: Record<string, unknown>): ProviderError {
  const { type } = recordOf(event.error);
  const status = (typeof type === "string" && errorStatuses[type]) || 502;
  return refusalOf(status, readOpenAiFault(JSON.stringify(event)), {}).error;
}
