import { setTimeout as sleep } from "node:timers/promises";
import type {
  ChatChunk,
  ChatUsage,
  FunctionCall,
  ProviderRequest,
  SyncResult,
} from "#gateway/models/providers/provider.ts";
import { SandboxFailure } from "../failure.ts";
import { randomFrom, seedOf } from "../seed.ts";
import { type ChatInput, readChat } from "./input.ts";
import { replyText } from "./reply.ts";
import { countTokens, tokensOf } from "./tokens.ts";
import { toolCallOf } from "./tool-call.ts";

/** The pause between two tokens of a stream: 20 to 40 tokens a second. */
const fastestGapMs = 25;
const slowestGapMs = 50;

interface Answer {
  tokens: string[];
  toolCall: FunctionCall | null;
  finishReason: "stop" | "length" | "tool_calls";
  usage: ChatUsage;
  seed: number;
}

/** The complete answer of a chat. */
export function completeChat(request: ProviderRequest): SyncResult {
  const answers = answersOf(request);
  const usage = usageOfAll(answers);
  return {
    kind: "chat",
    completion: {
      choices: answers.map((answer, index) => ({
        index,
        message: {
          role: "assistant",
          content: answer.toolCall ? null : answer.tokens.join(""),
          ...(answer.toolCall ? { tool_calls: [answer.toolCall] } : {}),
          refusal: null,
        },
        finish_reason: answer.finishReason,
        logprobs: null,
      })),
      usage,
    },
    usage: { unit: "token", quantity: usage.total_tokens },
  };
}

/** The same answers token by token, one after the other. An abort ends it at once, with the reason of the signal. */
export async function* streamChat(request: ProviderRequest): AsyncGenerator<ChatChunk> {
  const answers = answersOf(request);
  for (const [index, answer] of answers.entries()) {
    const random = randomFrom(`pace ${answer.seed}`);
    const said = (delta: Record<string, unknown>, finish: string | null = null) =>
      chunk(index, delta, finish);
    yield said({ role: "assistant", content: answer.toolCall ? null : "" });
    if (answer.toolCall) {
      const { id, type, function: called } = answer.toolCall;
      yield said({ tool_calls: [{ index: 0, id, type, function: { name: called.name, arguments: "" } }] });
      for (const piece of tokensOf(called.arguments)) {
        await pause(random.between(fastestGapMs, slowestGapMs), request.signal);
        yield said({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
      }
    }
    for (const token of answer.toolCall ? [] : answer.tokens) {
      await pause(random.between(fastestGapMs, slowestGapMs), request.signal);
      yield said({ content: token });
    }
    const isLast = index === answers.length - 1;
    yield { ...said({}, answer.finishReason), ...(isLast && { usage: usageOfAll(answers) }) };
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await sleep(milliseconds, undefined, { signal });
}

function chunk(index: number, delta: Record<string, unknown>, finishReason: string | null): ChatChunk {
  return { choices: [{ index, delta, finish_reason: finishReason }] };
}

/** As many answers as `n` asks for, each with a seed of its own. */
function answersOf(request: ProviderRequest): [Answer, ...Answer[]] {
  const chat = readChat(request, seedOf(request.model.id, request.input));
  const { maxInputTokens } = request.operation.limits;
  if (typeof maxInputTokens === "number" && chat.promptTokens > maxInputTokens)
    throw new SandboxFailure(
      "input_too_large",
      `messages has ${chat.promptTokens} tokens; the model reads ${maxInputTokens}.`,
      "messages",
    );
  const { n } = request.input;
  const more = Array.from({ length: typeof n === "number" ? n - 1 : 0 }, (_, index) =>
    answerOf({ ...chat, seed: chat.seed + index + 1 }),
  );
  return [answerOf(chat), ...more];
}

function usageOfAll([first, ...more]: [Answer, ...Answer[]]): ChatUsage {
  const written = more.reduce((sum, { usage }) => sum + usage.completion_tokens, 0);
  const { usage } = first;
  return {
    ...usage,
    completion_tokens: usage.completion_tokens + written,
    total_tokens: usage.total_tokens + written,
  };
}

function answerOf(chat: ChatInput): Answer {
  const toolCall = toolCallOf(chat);
  if (toolCall) {
    const spent = countTokens(toolCall.function.name) + countTokens(toolCall.function.arguments);
    return { tokens: [], toolCall, finishReason: "tool_calls", usage: usageOf(chat, spent), seed: chat.seed };
  }
  const whole = tokensOf(untilStop(replyText(chat), chat.stop));
  const tokens = chat.maxTokens === null ? whole : whole.slice(0, chat.maxTokens);
  return {
    tokens,
    toolCall: null,
    finishReason: tokens.length < whole.length ? "length" : "stop",
    usage: usageOf(chat, tokens.length),
    seed: chat.seed,
  };
}

function untilStop(text: string, stops: string[]): string {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  return ends.length > 0 ? text.slice(0, Math.min(...ends)) : text;
}

function usageOf(chat: ChatInput, completionTokens: number): ChatUsage {
  return {
    prompt_tokens: chat.promptTokens,
    completion_tokens: completionTokens,
    total_tokens: chat.promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
