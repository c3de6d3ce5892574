import { isRecord } from "#contract/input-schema/json-values.ts";
import type { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { type ChatApi, completeAnswer, type EventReader, streamAnswer } from "../chat-answers.ts";
import { estimatedUsage } from "../estimated-usage.ts";
import { invalidAnswer, numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { refusalOf } from "../http/refusal.ts";
import { readOpenAiFault } from "../openai/chat.ts";
import { openAiFacts } from "../openai/facts.ts";
import {
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
import { nativeBodyOf, responseBody, responsesName, sealedFormat } from "./request.ts";

const kinds = ["chat-completions"] as const;

/** Models are listed and described in the same way as for OpenAI's Chat Completions. */
const responsesFacts: ProtocolFacts = {
  ...openAiFacts,
  presets: [
    preset({
      id: "openai-responses",
      name: "OpenAI, Responses",
      base_url: "https://api.openai.com/v1",
      key_url: "https://platform.openai.com/api-keys",
      runs: ["chat-completions"],
      note: "Uses its Responses API, with sealed thoughts and web searches.",
    }),
    otherServer("openai-responses", "OpenAI's Responses", ["chat-completions"]),
  ],
};

/** OpenAI's Responses API; requests of its own clients pass through unchanged. */
export const openAiResponses: Protocol = {
  name: responsesName,
  kinds,
  hosts: { any: "https://api.openai.com/v1" },
  scheme: "Bearer",
  facts: responsesFacts,
  readFault: readOpenAiFault,
  open: () => createResponses,
};

function createResponses(mapped: Mapped): Provider {
  return {
    id: mapped.upstream.name,
    sandbox: false,
    restartable: false,
    speaks: responsesName,
    supports: supportsKind(kinds, responsesName),
    execute: (request) => completeAnswer(mapped, request, responseApi(mapped, request)),
    stream: (request) => streamAnswer(mapped, request, responseApi(mapped, request), new ResponseReader()),
    ...noJobs,
  };
}

const path = "/responses";

type Item = Record<string, unknown>;

/** How a response is asked for and read. A client that speaks Responses gets the upstream's own answer or events. */
function responseApi(mapped: Mapped, request: ProviderRequest): ChatApi {
  const native = nativeBodyOf(request);
  return {
    path,
    body: () => responseBody(request, mapped, native),
    read: (answer) => completionOf(answer, request),
    native: native !== null,
  };
}

function completionOf(answer: Item, request: ProviderRequest): ChatCompletion {
  if (answer.status === "failed" || isRecord(answer.error)) throw failureOf(answer);
  if (!Array.isArray(answer.output)) throw invalidAnswer("The provider's response has no output.");
  const message = messageOf(recordsOf(answer.output));
  const isEnded = answer.status === "completed" || answer.status === "incomplete";
  const reason = isEnded ? finishOf(answer, message.tool_calls !== undefined) : null;
  const tier = textOf(answer.service_tier);
  return {
    choices: [{ index: 0, message, finish_reason: reason, logprobs: null }],
    usage: usageOf(answer.usage) ?? estimatedUsage(request, [message]),
    ...(tier && { service_tier: tier }),
  };
}

/** Converts response events into chat chunks. */
class ResponseReader implements EventReader {
  isDone = false;
  /** For each call's index in the output: the call's position among the calls. */
  readonly #calls = new Map<unknown, number>();

  /** Throws if the response failed. */
  read(event: Item): ChatChunk | null {
    switch (event.type) {
      case "response.output_text.delta":
        return chunkOf({ content: textOf(event.delta) ?? "" }, recordsOf(event.logprobs));
      case "response.refusal.delta":
        return chunkOf({ refusal: textOf(event.delta) ?? "" });
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
      case "response.reasoning.delta":
        return chunkOf({ reasoning_content: textOf(event.delta) ?? "" });
      case "response.output_text.annotation.added":
        return chunkOf({ annotations: [annotationOf(recordOf(event.annotation))] });
      case "response.output_item.added":
        return this.#start(event.output_index, recordOf(event.item));
      case "response.function_call_arguments.delta":
        return this.#arguments(event.output_index, textOf(event.delta) ?? "");
      case "response.output_item.done":
        return this.#end(event.output_index, recordOf(event.item));
      case "response.completed":
      case "response.incomplete": {
        this.isDone = true;
        const response = recordOf(event.response);
        const usage = usageOf(response.usage);
        const finish = finishOf(response, this.#calls.size > 0);
        const tier = textOf(response.service_tier);
        return {
          choices: [{ index: 0, delta: {}, finish_reason: finish }],
          ...(usage && { usage }),
          ...(tier && { service_tier: tier }),
        };
      }
      case "response.failed":
        throw failureOf(recordOf(event.response));
      case "error":
        throw failureOf({ error: event.error ?? event });
      default:
        return null;
    }
  }

  #start(index: unknown, item: Item): ChatChunk | null {
    if (item.type === "message") return chunkOf({ role: "assistant", content: "" });
    const call = callOf(item);
    if (!call) return null;
    const place = this.#calls.size;
    this.#calls.set(index, place);
    const called = { name: call.function.name, arguments: "" };
    return chunkOf({ tool_calls: [{ ...call, index: place, function: called }] });
  }

  #arguments(index: unknown, piece: string): ChatChunk | null {
    const place = this.#calls.get(index);
    return place === undefined
      ? null
      : chunkOf({ tool_calls: [{ index: place, function: { arguments: piece } }] });
  }

  /** Reads the parts of an item that are known only at its end. */
  #end(index: unknown, item: Item): ChatChunk | null {
    if (item.type === "custom_tool_call")
      return this.#arguments(index, callOf(item)?.function.arguments ?? "");
    const details = detailsOf(item);
    return details.length > 0 ? chunkOf({ reasoning_details: details }) : null;
  }
}

function chunkOf(delta: Item, logprobs: readonly Item[] = []): ChatChunk {
  return {
    choices: [
      {
        index: 0,
        delta,
        finish_reason: null,
        ...(logprobs.length > 0 && { logprobs: { content: logprobs } }),
      },
    ],
  };
}

function messageOf(items: readonly Item[]): ChatMessage {
  const parts = items.filter(({ type }) => type === "message").flatMap(({ content }) => recordsOf(content));
  const texts = parts.filter(({ type }) => type === "output_text");
  const refusals = parts.filter(({ type }) => type === "refusal").map(({ refusal }) => textOf(refusal) ?? "");
  const annotations = texts.flatMap((part) => recordsOf(part.annotations)).map(annotationOf);
  const thoughts = items
    .filter(({ type }) => type === "reasoning")
    .flatMap(({ summary, content }) => [...recordsOf(summary), ...recordsOf(content)])
    .map(({ text }) => textOf(text) ?? "");
  const details = items.flatMap(detailsOf);
  const calls = items.flatMap((item) => callOf(item) ?? []);
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.map(({ text }) => textOf(text) ?? "").join("") : null,
    refusal: refusals.length > 0 ? refusals.join("") : null,
    ...(annotations.length > 0 && { annotations }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join("") }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/**
 * An encrypted thought that only the upstream can read, in the form in which the client returns it in later
 * turns.
 */
function detailsOf({ type, id, encrypted_content: data }: Item): object[] {
  if (type !== "reasoning" || !textOf(data)) return [];
  return [{ type: "reasoning.encrypted", id, data, format: sealedFormat }];
}

/** A call in chat format. Chat arguments are JSON, so the plain text for a custom tool is wrapped in JSON. */
function callOf({ type, call_id: id, name, arguments: given, input }: Item) {
  if (type !== "function_call" && type !== "custom_tool_call") return null;
  const text = type === "custom_tool_call" ? JSON.stringify({ input: input ?? "" }) : (textOf(given) ?? "");
  return { id: textOf(id) ?? "", type: "function", function: { name: textOf(name) ?? "", arguments: text } };
}

function annotationOf({ type, ...more }: Item): Item {
  return { type, [String(type)]: more };
}

function finishOf({ incomplete_details: details }: Item, hasCalls: boolean): string {
  const reason = textOf(recordOf(details).reason);
  if (reason === "content_filter") return "content_filter";
  if (reason !== null) return "length";
  return hasCalls ? "tool_calls" : "stop";
}

function usageOf(value: unknown): ChatUsage | null {
  const usage = recordOf(value);
  const [prompt, completion] = [numberOf(usage.input_tokens), numberOf(usage.output_tokens)];
  if (prompt === null || completion === null) return null;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: numberOf(usage.total_tokens) ?? prompt + completion,
    ...(isRecord(usage.input_tokens_details) && { prompt_tokens_details: usage.input_tokens_details }),
    ...(isRecord(usage.output_tokens_details) && { completion_tokens_details: usage.output_tokens_details }),
  };
}

/** Treats an error event like an error answer with the matching HTTP status. */
function failureOf({ error }: Item): ProviderError {
  const code = textOf(recordOf(error).code);
  const status = code === "rate_limit_exceeded" ? 429 : code === "server_is_overloaded" ? 503 : 502;
  return refusalOf(status, readOpenAiFault(JSON.stringify({ error })), {}).error;
}
