import { byName } from "#contract/by-name.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { estimatedUsage } from "../estimated-usage.ts";
import { connectionFailure } from "../http/http-client.ts";
import { single } from "../http/rate-limit.ts";
import {
  invalidAnswer,
  maxBytes,
  numberOf,
  parsed,
  readEvents,
  readJson,
  recordOf,
  recordsOf,
  textOf,
} from "../http/read-body.ts";
import { type Fault, refusalOf } from "../http/refusal.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ChatChoice, ChatChunk, ChatUsage, ProviderRequest, SyncResult, ToolCall } from "../provider.ts";
import type { UpstreamCall } from "../upstreams/upstream.ts";

/** Converts the events of an API into chat chunks. */
export interface EventReader {
  /** True once the last event was read. */
  readonly isDone: boolean;
  /** Null for an event without content for a chat. Throws for an error event. */
  read(event: Record<string, unknown>): ChatChunk | null;
}

export const chatPath = "/chat/completions";

/** Runs a chat without streaming on any server of OpenAI's Chat Completions. */
export async function completeChat(
  mapped: Mapped,
  request: ProviderRequest,
  path = chatPath,
): Promise<SyncResult> {
  const json = await chatBody(request, mapped);
  const answer = await mapped.upstream.json(request, { path, json });
  if (answer.error !== undefined) throw errorInAnswer(answer);
  const choices = recordsOf(answer.choices).map(choiceOf);
  if (choices.length === 0) throw invalidAnswer("The provider's chat completion has no choices.");
  const usage =
    usageOf(answer.usage) ??
    estimatedUsage(
      request,
      choices.map(({ message }) => message),
    );
  return {
    kind: "chat",
    completion: { choices, usage, ...tierOf(answer) },
    usage: { unit: "token", quantity: usage.total_tokens },
  };
}

type Body = Record<string, unknown>;

/** The body, with its pictures in a form that the upstream can read. */
export function chatBody(request: ProviderRequest, { model, fields, media }: Mapped): Body | Promise<Body> {
  const bodyOf = (input: Body): Body => {
    const { stream: _, stream_options: __, ...body } = upstreamFields(input, fields);
    body.model = model;
    return body;
  };
  return request.media.length > 0 ? inputWithMedia(request, media).then(bodyOf) : bodyOf(request.input);
}

/** Some gateways answer 200 with an error in the body. */
export function errorInAnswer(answer: Record<string, unknown>): ProviderError {
  const { code } = recordOf(answer.error);
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : 502;
  return refusalOf(status, readOpenAiFault(JSON.stringify(answer)), {}).error;
}

/** OpenAI, OpenRouter, vLLM: `{error: {message, type, code, param}}`, or an error that is only a string. */
export function readOpenAiFault(text: string): Fault {
  const body = recordOf(parsed(text));
  const error = recordOf(body.error);
  const type = textOf(error.type);
  const code = textOf(error.code) ?? (typeof error.code === "number" ? String(error.code) : null);
  const flagged = Array.isArray(recordOf(error.metadata).reasons) ? "content_policy_violation" : null;
  return {
    code: flagged ?? ([code, type].filter(Boolean).join(" ") || null),
    message: textOf(error.message) ?? textOf(body.error) ?? textOf(body.message),
    param: textOf(error.param),
  };
}

/** The usage of an answer or chunk; null if it has none. */
export function usageOf(value: unknown): ChatUsage | null {
  if (!isRecord(value)) return null;
  const [prompt, completion] = [numberOf(value.prompt_tokens), numberOf(value.completion_tokens)];
  if (prompt === null || completion === null) return null;
  return {
    ...value,
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: numberOf(value.total_tokens) ?? prompt + completion,
  };
}

/** Other servers' words for OpenAI's finish reasons. */
const finishWords = byName<string>({
  eos: "stop",
  eos_token: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  max_length: "length",
  tool_use: "tool_calls",
  safety: "content_filter",
});

/** OpenAI's finish reason of a choice; null while it is still being written. */
export function finishOf(value: unknown): string | null {
  const word = textOf(value);
  return word === null ? null : (finishWords[word.toLowerCase()] ?? word);
}

/** The content of a message or delta, and the model's thoughts before it. */
interface Content {
  content: unknown;
  reasoning_content?: string;
}

/**
 * Text and thoughts under OpenAI's names. Most servers call thoughts `reasoning_content`; OpenRouter, Groq
 * and vLLM `reasoning`; Mistral puts both into `content` as parts.
 */
export function contentOf(message: Record<string, unknown>): Content {
  const { content, reasoning_content: thoughts, reasoning } = message;
  const named = [thoughts, reasoning].find((value) => typeof value === "string") as string | undefined;
  if (!Array.isArray(content)) return { content, ...(named !== undefined && { reasoning_content: named }) };
  const parts = recordsOf(content);
  const thought = parts.flatMap((part) => recordsOf(part.thinking)).map(textIn);
  const reasoned = (named ?? "") + thought.join("");
  return { content: parts.map(textIn).join(""), ...(reasoned && { reasoning_content: reasoned }) };
}

function textIn(part: Record<string, unknown>): string {
  return textOf(part.text) ?? "";
}

function choiceOf(choice: Record<string, unknown>, index: number): ChatChoice {
  const message = recordOf(choice.message);
  const { content, reasoning_content: reasoning } = contentOf(message);
  const toolCalls = recordsOf(message.tool_calls).map(toolCallOf);
  return {
    index,
    message: {
      ...moreOf(message),
      role: "assistant",
      content: typeof content === "string" ? content : null,
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      ...(reasoning && { reasoning_content: reasoning }),
      refusal: textOf(message.refusal),
    },
    finish_reason: finishOf(choice.finish_reason) ?? "stop",
    logprobs: isRecord(choice.logprobs) ? choice.logprobs : null,
  };
}

const readMembers = new Set(["role", "content", "refusal", "tool_calls", "reasoning", "reasoning_content"]);

/** The remaining fields of a message; most messages have none. */
function moreOf(message: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(message).filter((name) => !readMembers.has(name) && message[name] !== null);
  return names.length === 0 ? {} : Object.fromEntries(names.map((name) => [name, message[name]]));
}

function toolCallOf(call: Record<string, unknown>, index: number): ToolCall {
  const { id, type, function: called, ...more } = call;
  const known = { ...more, id: textOf(id) ?? `call_${index}`, type: textOf(type) ?? "function" };
  if (known.type !== "function") return known;
  const { name, arguments: given, ...others } = recordOf(called);
  const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
  return { ...known, function: { ...others, name: String(name ?? ""), arguments: text } };
}

/** The service tier in which the upstream ran the chat, if it reports one. */
export function tierOf({ service_tier: tier }: Record<string, unknown>): { service_tier?: string } {
  return typeof tier === "string" ? { service_tier: tier } : {};
}

const doneMark = "[DONE]";

/**
 * Streams a chat. Always requests usage from the upstream. A stream that ends without `[DONE]` and without a
 * finish reason was cut: it throws `upstream_stream_interrupted`, because it would otherwise look complete.
 */
export async function* streamChat(
  mapped: Mapped,
  request: ProviderRequest,
  path = chatPath,
): AsyncGenerator<ChatChunk> {
  const json = {
    ...(await chatBody(request, mapped)),
    stream: true,
    stream_options: { include_usage: true },
  };
  const answer = await mapped.upstream.open(request, {
    path,
    json,
    headers: { accept: "text/event-stream" },
    wait: "stream",
  });
  if (!single(answer.headers["content-type"])?.includes("text/event-stream")) {
    const body = await readJson(answer, maxBytes.json, request.signal);
    throw body.error === undefined
      ? invalidAnswer("The provider did not answer with a stream.")
      : errorInAnswer(body);
  }
  const open = new Set<number>();
  const places = new ToolCallPlaces();
  let seen = false;
  let done = false;
  try {
    // The loop must not destroy the body: its connection serves the next request only after the body is read
    // to its end.
    for await (const data of readEvents(answer.body.iterator({ destroyOnReturn: false }))) {
      if (data === doneMark) {
        done = true;
        return;
      }
      const event = eventIn(data, mapped, request);
      if (event === null) continue;
      if (event.error !== undefined) throw errorInAnswer(event);
      const chunk = chunkOf(event, places);
      for (const choice of chunk.choices) {
        seen = true;
        if (choice.finish_reason === null) open.add(choice.index);
        else open.delete(choice.index);
      }
      if (chunk.choices.length > 0 || chunk.usage) yield chunk;
    }
  } catch (error) {
    if (request.signal.aborted || error instanceof ProviderError) throw error;
    throw interrupted(connectionFailure(error, true));
  } finally {
    if (done) answer.body.resume();
    else answer.body.destroy();
  }
  if (!seen || open.size > 0) throw interrupted();
}

/**
 * Parses an event of a stream. For one that is not JSON: null if the route skips such events, otherwise
 * throws.
 */
function eventIn(
  data: string,
  { skipsMalformed, upstream }: Pick<Mapped, "skipsMalformed" | "upstream">,
  { log }: ProviderRequest,
): Record<string, unknown> | null {
  const event = parsed(data);
  if (isRecord(event)) return event;
  if (!skipsMalformed) throw invalidAnswer("The provider's stream has an event that is not JSON.");
  counters.skippedEvents.inc({ provider: upstream.name });
  log.warn(
    { provider: upstream.name, characters: data.length },
    "an event of a stream is no JSON and was left out",
  );
  return null;
}

/** The error of a stream that ended too early. */
function interrupted(cause?: unknown): ProviderError {
  return new ProviderError("upstream_stream_interrupted", "The provider's stream ended early.", {
    started: "yes",
    cause,
  });
}

function chunkOf(event: Record<string, unknown>, places: ToolCallPlaces): ChatChunk {
  const usage = usageOf(event.usage) ?? usageOf(recordOf(event.x_groq).usage);
  return {
    choices: recordsOf(event.choices).map((choice, index) => ({
      index: typeof choice.index === "number" ? choice.index : index,
      delta: deltaOf(recordOf(choice.delta), places),
      finish_reason: finishOf(choice.finish_reason),
      ...(isRecord(choice.logprobs) && { logprobs: choice.logprobs }),
    })),
    ...(usage && { usage }),
    ...tierOf(event),
  };
}

function deltaOf(delta: Record<string, unknown>, places: ToolCallPlaces): Record<string, unknown> {
  const { reasoning: _, reasoning_content: __, content, tool_calls: calls, ...rest } = delta;
  const { content: text, ...thoughts } = contentOf(delta);
  return {
    ...rest,
    ...(content !== undefined && { content: text }),
    ...thoughts,
    ...(Array.isArray(calls) && { tool_calls: recordsOf(calls).map((call) => places.placed(call)) }),
  };
}

/**
 * Gives each tool call of a stream its own index, which OpenAI's clients need to join the pieces. Gemini
 * sends no `index`, Ollama sends 0 for every call, and both send a call's id once.
 */
class ToolCallPlaces {
  private readonly byId = new Map<string, number>();
  private readonly taken = new Set<number>();
  private last = 0;

  placed(call: Record<string, unknown>): Record<string, unknown> {
    const id = textOf(call.id);
    const given = typeof call.index === "number" ? call.index : null;
    this.last = id === null ? (given ?? this.last) : this.placeOf(id, given);
    // Empty strings would overwrite the values of the first piece.
    const { id: _, type, ...rest } = call;
    return { ...rest, index: this.last, ...(id !== null && { id }), ...(textOf(type) && { type }) };
  }

  private placeOf(id: string, given: number | null): number {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const place = given !== null && !this.taken.has(given) ? given : this.taken.size;
    this.byId.set(id, place);
    this.taken.add(place);
    return place;
  }
}

/**
 * The chunks of an event stream; with `native` each carries its original event. A stream that ends before its
 * last event was cut: it throws `upstream_stream_interrupted`, because it would otherwise look complete.
 */
export async function* eventChunks(
  mapped: Mapped,
  request: ProviderRequest,
  call: Pick<UpstreamCall, "path" | "json" | "headers">,
  reader: EventReader,
  native: boolean,
): AsyncGenerator<ChatChunk> {
  const headers = { accept: "text/event-stream", ...call.headers };
  const answer = await mapped.upstream.open(request, { ...call, headers, wait: "stream" });
  try {
    // The loop must not destroy the body: its connection serves the next request only after the body is read
    // to its end.
    for await (const data of readEvents(answer.body.iterator({ destroyOnReturn: false }))) {
      const event = eventIn(data, mapped, request);
      if (event === null) continue;
      const chunk = reader.read(event);
      if (chunk || native) yield { ...(chunk ?? { choices: [] }), ...(native && { native: event }) };
      if (reader.isDone) return;
    }
  } catch (error) {
    if (request.signal.aborted || error instanceof ProviderError) throw error;
    throw interrupted(connectionFailure(error, true));
  } finally {
    if (reader.isDone) answer.body.resume();
    else answer.body.destroy();
  }
  throw interrupted();
}
