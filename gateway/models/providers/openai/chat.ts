import { byName } from "#contract/by-name.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { completeAnswer, type EventReader, streamAnswer } from "../chat-answers.ts";
import { estimatedUsage } from "../estimated-usage.ts";
import { numberOf, parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { type Fault, refusalOf } from "../http/refusal.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import { type Mapped, withCacheKey } from "../protocol.ts";
import type {
  ChatChoice,
  ChatChunk,
  ChatCompletion,
  ChatLabels,
  ChatUsage,
  ProviderRequest,
  SyncResult,
  ToolCall,
} from "../provider.ts";

const chatPath = "/chat/completions";

/** Runs a chat without streaming on any server of OpenAI's Chat Completions. */
export function completeChat(mapped: Mapped, request: ProviderRequest, path = chatPath): Promise<SyncResult> {
  const body = () => chatBody(request, mapped);
  return completeAnswer(mapped, request, { path, body, read: (answer) => completionOf(answer, request) });
}

/** Streams a chat. Always requests usage from the upstream. */
export function streamChat(
  mapped: Mapped,
  request: ProviderRequest,
  path = chatPath,
): AsyncGenerator<ChatChunk> {
  const body = async () => ({
    ...(await chatBody(request, mapped)),
    stream_options: { include_usage: true },
  });
  const read = (answer: Body) => completionOf(answer, request);
  return streamAnswer(mapped, request, { path, body, read }, new ChunkReader());
}

function completionOf(answer: Body, request: ProviderRequest): ChatCompletion {
  refuseError(answer);
  const choices = recordsOf(answer.choices).map(choiceOf);
  const usage =
    usageOf(answer.usage) ??
    estimatedUsage(
      request,
      choices.map(({ message }) => message),
    );
  const completion: ChatCompletion = { choices, usage };
  addLabels(completion, answer);
  return completion;
}

type Body = Record<string, unknown>;

/** The body, with its pictures in a form that the upstream can read. */
export function chatBody(request: ProviderRequest, mapped: Mapped): Body | Promise<Body> {
  const { model, fields, media } = mapped;
  const bodyOf = (input: Body): Body => {
    const named = withCacheKey(input, request, mapped);
    const { stream: _, stream_options: __, ...body } = upstreamFields(named, fields);
    body.model = model;
    return body;
  };
  return request.media.length > 0 ? inputWithMedia(request, media).then(bodyOf) : bodyOf(request.input);
}

/** Some gateways answer 200 with an error in the body, and OpenRouter writes one into a choice. */
function refuseError({ error }: Body): void {
  if (error === undefined || error === null) return;
  const { code } = recordOf(error);
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : 502;
  throw refusalOf(status, readOpenAiFault(JSON.stringify({ error })), {}).error;
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
  refuseError(choice);
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
    finish_reason: finishOf(choice.finish_reason),
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

/** Adds the service tier and the fingerprint that the upstream reports. */
function addLabels(answer: ChatLabels, { service_tier: tier, system_fingerprint: fingerprint }: Body): void {
  if (typeof tier === "string") answer.service_tier = tier;
  if (typeof fingerprint === "string") answer.system_fingerprint = fingerprint;
}

/** Converts the chunks of Chat Completions; their end is `[DONE]`, which is no event of its own. */
class ChunkReader implements EventReader {
  readonly isDone = false;
  readonly #places = new ToolCallPlaces();

  read(event: Body): ChatChunk | null {
    refuseError(event);
    const chunk = chunkOf(event, this.#places);
    return chunk.choices.length > 0 || chunk.usage ? chunk : null;
  }
}

function chunkOf(event: Body, places: ToolCallPlaces): ChatChunk {
  const usage = usageOf(event.usage) ?? (isRecord(event.x_groq) ? usageOf(event.x_groq.usage) : null);
  const choices = recordsOf(event.choices).map((choice, index): ChatChunk["choices"][number] => {
    refuseError(choice);
    return {
      index: typeof choice.index === "number" ? choice.index : index,
      delta: deltaOf(recordOf(choice.delta), places),
      finish_reason: finishOf(choice.finish_reason),
      ...(isRecord(choice.logprobs) && { logprobs: choice.logprobs }),
    };
  });
  const chunk: ChatChunk = usage ? { choices, usage } : { choices };
  addLabels(chunk, event);
  return chunk;
}

function deltaOf(delta: Body, places: ToolCallPlaces): Body {
  const { reasoning, reasoning_content: named, tool_calls: calls } = delta;
  // Most deltas have only text, which needs no change.
  if (reasoning === undefined && named === undefined && calls === undefined && !Array.isArray(delta.content))
    return delta;
  const { reasoning: _, reasoning_content: __, tool_calls: ___, content, ...rest } = delta;
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
