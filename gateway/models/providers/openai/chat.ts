import { byName } from "#contract/by-name.ts";
import type { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { estimatedUsage } from "../estimated-usage.ts";
import { invalidAnswer, isRecord, numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { refusalOf } from "../http/refusal.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ChatChoice, ChatUsage, ProviderRequest, SyncResult, ToolCall } from "../provider.ts";
import { readOpenAiFault } from "./fault.ts";

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
