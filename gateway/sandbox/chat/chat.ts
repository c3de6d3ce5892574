import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { byName } from "#contract/by-name.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { numberOf, parsed, recordOf } from "#gateway/models/providers/http/read-body.ts";
import type {
  ChatChunk,
  ChatUsage,
  FunctionCall,
  ProviderRequest,
  SyncResult,
} from "#gateway/models/providers/provider.ts";
import { badInput, SandboxFailure } from "../failure.ts";
import { randomFrom, seedInTurns } from "../seed.ts";
import { exampleOf } from "./example.ts";

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

export async function completeChat(request: ProviderRequest): Promise<SyncResult> {
  const answers = await answersOf(request);
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

/**
 * Streams the answers of a chat token by token, one answer after the other. An abort ends the stream at once,
 * with the signal's reason.
 */
export async function* streamChat(request: ProviderRequest): AsyncGenerator<ChatChunk> {
  const answers = await answersOf(request);
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

/** Writes as many answers as `n` requests, each with another seed. */
async function answersOf(request: ProviderRequest): Promise<[Answer, ...Answer[]]> {
  const chat = readChat(request, await seedInTurns(request.model.id, request.input));
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

/**
 * The sandbox's counting rule, not a tokenizer: a token is a piece of a word of at most six letters with the
 * space before it; a Chinese, Japanese or Korean character is one token.
 */
const tokenRule = "one token per word piece of up to 6 letters";

/** Cuts a text into tokens; joined together they give the text again. */
export function tokensOf(text: string): string[] {
  return (
    text.match(
      /\s*[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\s*[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,6}|\s+/gu,
    ) ?? []
  );
}

function countTokens(text: string): number {
  return tokensOf(text).length;
}

/** A chat request, read leniently: its schema has already been checked. */
interface ChatInput {
  messages: { role: string; text: string; toolCallId: string | null }[];
  temperature: number | null;
  maxTokens: number | null;
  effort: "low" | "medium" | "high" | null;
  seed: number;
  stop: string[];
  wantsJson: boolean;
  /** The schema that the answer must fit, if there is one. */
  schema: unknown;
  tools: { name: string; parameters: Record<string, unknown>; strict: boolean }[];
  /** The function that the chat must call, `any` of them, or none. */
  mustCall: string | "any" | null;
  /** Whether the chat may call a function by its own choice. */
  mayCall: boolean;
  promptTokens: number;
  /** The pictures in the messages: `image/png, 12,345 bytes`. */
  pictures: string[];
}

function readChat({ input, media }: Pick<ProviderRequest, "input" | "media">, seed: number): ChatInput {
  const messages = list(input.messages).map((message) => ({
    role: text(message.role),
    text: contentText(message.content),
    toolCallId: typeof message.tool_call_id === "string" ? message.tool_call_id : null,
  }));
  const format = recordOf(input.response_format);
  const stop = typeof input.stop === "string" ? [input.stop] : strings(input.stop);
  return {
    messages,
    temperature: numberOf(input.temperature),
    maxTokens: numberOf(input.max_completion_tokens) ?? numberOf(input.max_tokens),
    effort: effortOf(input.reasoning_effort),
    seed: numberOf(input.seed) ?? seed,
    stop: stop.filter(Boolean),
    wantsJson: ["json_object", "json_schema"].includes(text(format.type)),
    schema: format.type === "json_schema" ? recordOf(format.json_schema).schema : undefined,
    tools: list(input.tools).map((tool) => {
      const definition = recordOf(tool.function);
      return {
        name: text(definition.name),
        parameters: { type: "object", ...recordOf(definition.parameters) },
        strict: definition.strict === true,
      };
    }),
    mustCall: mustCallOf(input.tool_choice),
    mayCall: input.tool_choice !== "none",
    promptTokens: tokensOf(messages.map((message) => `${message.role} ${message.text}`).join("\n")).length,
    pictures: media.map(
      ({ contentType, sizeBytes }) => `${contentType}, ${sizeBytes.toLocaleString("en")} bytes`,
    ),
  };
}

function mustCallOf(choice: unknown): ChatInput["mustCall"] {
  if (choice === "required") return "any";
  return text(recordOf(recordOf(choice).function).name) || null;
}

function effortOf(value: unknown): ChatInput["effort"] {
  return value === "low" || value === "medium" || value === "high" ? value : null;
}

/** Text of a message: a string, or the text parts of a list. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(part.text) || text(part.refusal) || `[${text(part.type) || "part"}]`)
    .join("\n");
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}
function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * The function call for a chat: because the last user message begins with `/tool name {json}`, because
 * `tool_choice` demands one of the `tools`, or because the message contains a word of a tool's name. Null if
 * none applies.
 */
function toolCallOf(chat: ChatInput): FunctionCall | null {
  const last = chat.messages.at(-1);
  const phrase = last?.role === "user" ? /^\s*\/tool\s+([\w.-]{1,64})\s*([\s\S]*)$/.exec(last.text) : null;
  if (phrase?.[1]) return call(phrase[1], checkedJson(phrase[2]?.trim() || "{}"), chat);
  if (chat.tools.length === 0 || last?.role === "tool") return null;
  if (!chat.mustCall) return meantTool(chat, last?.role === "user" ? last.text : "");
  const tool =
    chat.mustCall === "any" ? chat.tools[0] : chat.tools.find(({ name }) => name === chat.mustCall);
  if (!tool)
    throw badInput(`tool_choice names "${chat.mustCall}", which is not among the tools.`, "tool_choice");
  return sampleCall(tool, last?.text ?? "", chat);
}

/** Words in tool names that do not reveal the tool's purpose. */
const plainWords = /^(get|set|list|find|read|run|call|make|create|tool|function|the|and|for)$/;
const shortestWord = 4;

/** Calls the first tool whose name contains a word of the message, as a model would. */
function meantTool(chat: ChatInput, text: string): FunctionCall | null {
  if (!chat.mayCall) return null;
  const said = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const meant = chat.tools.find(({ name }) =>
    name
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => word.length >= shortestWord && !plainWords.test(word) && said.has(word)),
  );
  return meant ? sampleCall(meant, text, chat) : null;
}

/** The longest text of the user in arguments. */
const sampleCharacters = 80;

/** Arguments that fit, with the user's words as free text; those of a strict tool name the sandbox instead. */
function sampleCall(tool: ChatInput["tools"][number], text: string, chat: ChatInput): FunctionCall {
  const words = tool.strict ? undefined : text.slice(0, sampleCharacters);
  return call(tool.name, JSON.stringify(exampleOf(tool.parameters, "tools", words)), chat);
}

function call(name: string, args: string, chat: ChatInput): FunctionCall {
  const id = createHash("sha256")
    .update(JSON.stringify([name, args, chat.messages.length]))
    .digest("hex")
    .slice(0, 24);
  return { id: `call_${id}`, type: "function", function: { name, arguments: args } };
}

function checkedJson(text: string): string {
  const value = parsed(text);
  if (value === null) throw badInput('The arguments after "/tool name" must be JSON.', "messages");
  return JSON.stringify(value);
}

const quotedCharacters = 600;
const stepsOf = { low: 1, medium: 3, high: 6 };

const openings = [
  "No language model ran; this is what the gateway received.",
  "Nothing was generated by a model. Your request arrived like this:",
  "A real model would answer here. The sandbox can only tell you what it saw.",
  "The gateway, the stream and the metering are real; the author of this text is a template.",
] as const;
const steps = [
  "Read the conversation from its first message.",
  "Found the last thing that was asked.",
  "Looked for a system prompt and for tool results.",
  "Checked the settings that came along.",
  "Picked a phrasing by temperature and seed.",
  "Wrote it down without a model.",
] as const;

/** The text of a sandbox reply: it repeats the request, so that the caller sees what arrived. */
function replyText(chat: ChatInput): string {
  const lastUser = chat.messages.findLast((message) => message.role === "user");
  const last = chat.messages.at(-1);
  const system = chat.messages.find((message) => message.role === "system");
  if (isRecord(chat.schema)) return JSON.stringify(exampleOf(chat.schema, "response_format"));
  if (chat.wantsJson)
    return JSON.stringify({
      sandbox: true,
      note: "Sandbox reply: no model ran",
      last_user_message: quote(lastUser?.text ?? ""),
      messages: chat.messages.length,
      system_prompt: system !== undefined,
    });
  const parts = [`**Sandbox reply.** ${opening(chat)}`];
  if (last?.role === "tool")
    parts.push(
      `The tool${last.toolCallId ? ` call \`${last.toolCallId}\`` : ""} returned:\n\n${block(last.text)}`,
    );
  parts.push(lastUser ? `Your last message was:\n\n${block(lastUser.text)}` : "There was no user message.");
  if (chat.effort)
    parts.push(
      `Reasoning effort \`${chat.effort}\`:\n\n${steps
        .slice(0, stepsOf[chat.effort])
        .map((step) => `- ${step}`)
        .join("\n")}`,
    );
  parts.push(facts(chat, system?.text ?? null));
  return parts.join("\n\n");
}

/** Temperature 0 always gives the same text; above 0, temperature and seed decide. */
function opening(chat: ChatInput): string {
  if (!chat.temperature) return openings[0];
  return randomFrom(`opening ${chat.seed} ${chat.temperature}`).pick(openings);
}

function facts(chat: ChatInput, system: string | null): string {
  const count = chat.messages.length;
  const lines = [
    `${count} ${count === 1 ? "message" : "messages"} in the conversation`,
    system === null ? "no system prompt" : `a system prompt of ${[...system].length} characters`,
    ...chat.pictures.map((picture) => `a picture: ${picture}`),
    ...(chat.temperature === null ? [] : [`temperature ${chat.temperature}`]),
    ...(chat.maxTokens === null ? [] : [`at most ${chat.maxTokens} tokens`]),
    ...(chat.tools.length === 0 ? [] : [`tools: ${chat.tools.map((tool) => `\`${tool.name}\``).join(", ")}`]),
  ];
  return `${lines.map((line) => `- ${line}`).join("\n")}\n\nUsage is counted by a rule (${tokenRule}). Write \`/tool name {"key":"value"}\` to see a tool call.`;
}

function block(text: string): string {
  return quote(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function quote(text: string): string {
  const characters = [...text.trim()];
  return characters.length > quotedCharacters
    ? `${characters.slice(0, quotedCharacters).join("")}…`
    : characters.join("");
}

/** Parameters that would change a model's answer but not the sandbox's, each with its neutral values. */
const withoutEffect = byName<readonly unknown[]>({
  top_p: [1],
  presence_penalty: [0],
  frequency_penalty: [0],
  logit_bias: [],
  logprobs: [false],
  top_logprobs: [0],
  top_k: [],
  min_p: [0],
  repetition_penalty: [1],
  parallel_tool_calls: [true],
  verbosity: ["medium"],
  service_tier: ["auto", "default"],
  thinking: [],
  prediction: [],
});

/** The requested parameters that the sandbox ignores, because it runs no model. */
export function ignoredOfChat(input: Record<string, unknown>): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const neutral = withoutEffect[name];
    return neutral && value !== null && !neutral.includes(value) ? [name] : [];
  });
}
