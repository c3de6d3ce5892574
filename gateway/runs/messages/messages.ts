import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { byName } from "#contract/by-name.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { type Block, type MessageCreate, messageRoutes } from "#contract/messages.ts";
import { type Metadata, metadataLimits } from "#contract/metadata.ts";
import { numberOf, recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { type ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import {
  asSent,
  countTokens,
  type NotePart,
  type Places,
  underNamesOf,
} from "#gateway/runs/execution/chat-front.ts";
import { runOperation } from "#gateway/runs/execution/run-operation.ts";
import type { OperationInput } from "#gateway/runs/operations/admit.ts";
import { MessageFormatter } from "./format-message.ts";

/** The limit of the JSON body, the same as for a chat. */
const bodyBytes = 4_000_000;

export function installMessages(app: App, context: RunsContext): void {
  serve(
    app,
    context,
    messageRoutes,
    {
      "POST /messages": (request, reply) => createMessage(context, request, reply, request.body),
      "POST /messages/count_tokens": async (request, reply) => {
        reply.header("request-id", request.id);
        return countTokens(context, request, request.body, {
          read: (body) => [chatMessages(body), ...(body.tools ?? [])],
          call: (body) => messageCall({ ...body, max_tokens: 1 }, request.headers),
        });
      },
    },
    { "POST /messages": { bodyLimit: bodyBytes }, "POST /messages/count_tokens": { bodyLimit: bodyBytes } },
  );
}

/**
 * Answers a message with a chat of its model: checks, limits, budgets, streams and replays are those of a
 * chat.
 */
async function createMessage(
  context: RunsContext,
  request: FastifyRequest,
  reply: FastifyReply,
  body: MessageCreate,
): Promise<FastifyReply> {
  // Anthropic's clients read this header.
  reply.header("request-id", request.id);
  return runOperation(context, request, reply, {
    ...messageCall(body, request.headers),
    fingerprint: body,
    front: { begin: (stamp, streams) => new MessageFormatter(stamp, streams) },
  }).catch((error: unknown) => {
    throw asSent(underNamesOf(places, error), (note) => chatMessages(body, note));
  });
}

/** Where each chat parameter is in a message request. */
const places: Places = {
  stop: "stop_sequences",
  reasoning_effort: "output_config.effort",
  response_format: "output_config.format",
  user: "metadata.user_id",
};

type ChatMessage = Record<string, unknown>;

/**
 * Converts a system prompt and messages of Anthropic blocks into chat messages: calls become an assistant
 * message, and results become separate messages. Throws `invalid_parameter` for a block that chats do not
 * have.
 */
function chatMessages(
  { system, messages }: Pick<MessageCreate, "system" | "messages">,
  note?: NotePart,
): ChatMessage[] {
  const opening =
    system && system.length > 0 ? [{ role: "system", content: contentOf(system, "system", note) }] : [];
  return [
    ...opening,
    ...messages.flatMap(({ role, content }, index) => {
      const place = `messages[${index}].content`;
      if (role === "assistant") return [assistantOf(content, place)];
      if (role === "system") return [{ role, content: contentOf(content, place, note) }];
      return userOf(content, place, note);
    }),
  ];
}

function assistantOf(content: string | Block[], place: string): ChatMessage {
  if (typeof content === "string") return { role: "assistant", content };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const details: object[] = [];
  const calls: object[] = [];
  for (const [index, block] of content.entries()) {
    const { type } = block;
    if (type === "text") texts.push(textOf(block.text) ?? "");
    else if (type === "thinking") {
      thoughts.push(textOf(block.thinking) ?? "");
      if (textOf(block.signature))
        details.push({ type: "reasoning.text", text: block.thinking, signature: block.signature });
    } else if (type === "redacted_thinking") details.push({ type: "reasoning.encrypted", data: block.data });
    else if (type === "tool_use")
      calls.push({
        id: needed(block.id, `${place}[${index}].id`),
        type: "function",
        function: {
          name: needed(block.name, `${place}[${index}].name`),
          arguments: JSON.stringify(block.input ?? {}),
        },
      });
    else throw unknownBlock(type, `${place}[${index}]`);
  }
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("") : null,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join("") }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** Results directly follow their calls, so they come before the rest of the user's content. */
function userOf(content: string | Block[], place: string, note?: NotePart): ChatMessage[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const results: ChatMessage[] = [];
  const said: ChatMessage[] = [];
  for (const [index, block] of content.entries()) {
    const at = `${place}[${index}]`;
    if (block.type !== "tool_result") {
      said.push(partOf(block, at, note));
      continue;
    }
    const result = block.content ?? "";
    if (typeof result !== "string" && !Array.isArray(result))
      throw refusal(`${at}.content`, "must be a string or a list of blocks");
    results.push({
      role: "tool",
      tool_call_id: needed(block.tool_use_id, `${at}.tool_use_id`),
      content:
        typeof result === "string" || result.length > 0 ? contentOf(result, `${at}.content`, note) : "",
    });
  }
  return said.length > 0 ? [...results, { role: "user", content: said }] : results;
}

function contentOf(content: string | unknown[], place: string, note?: NotePart): string | ChatMessage[] {
  if (typeof content === "string") return content;
  return content.map((block, index) => partOf(block, `${place}[${index}]`, note));
}

/** A block as a part of a chat message. */
function partOf(block: unknown, place: string, note?: NotePart): ChatMessage {
  if (!isRecord(block)) throw refusal(place, "must be a block, such as a text");
  const part = chatPart(block, place);
  note?.(part, { place, type: String(block.type) });
  return part;
}

function chatPart(block: Record<string, unknown>, place: string): ChatMessage {
  const cached = isRecord(block.cache_control) && { cache_control: block.cache_control };
  const source = recordOf(block.source);
  switch (block.type) {
    case "text":
      return { type: "text", text: needed(block.text, `${place}.text`), ...cached };
    case "image":
      return { type: "image_url", image_url: { url: addressOf(source, `${place}.source`) }, ...cached };
    case "document": {
      if (source.type === "text") return { type: "text", text: needed(source.data, `${place}.source.data`) };
      const filename = textOf(block.title) ?? "document.pdf";
      if (source.type === "content")
        return {
          type: "text",
          text: recordsOf(source.content)
            .map(({ text }) => textOf(text) ?? "")
            .join("\n"),
        };
      return { type: "file", file: { filename, file_data: addressOf(source, `${place}.source`) }, ...cached };
    }
    default:
      throw unknownBlock(block.type, place);
  }
}

/** A file as a URL: inline, elsewhere, or an upload. */
function addressOf(source: Record<string, unknown>, place: string): string {
  if (source.type === "base64")
    return `data:${needed(source.media_type, `${place}.media_type`)};base64,${needed(source.data, `${place}.data`)}`;
  if (source.type === "url") return needed(source.url, `${place}.url`);
  if (source.type === "file") return needed(source.file_id, `${place}.file_id`);
  throw refusal(place, "must be base64, url or file");
}

function unknownBlock(type: unknown, place: string): ApiError {
  const what = typeof type === "string" ? `of type ${type.slice(0, 50)}` : "without a type";
  return refusal(place, `is ${what}, which is not supported in a chat`);
}

function needed(value: unknown, param: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw invalidParameter(param, `${param} must be a string that is not empty.`);
}

function refusal(param: string, message: string): ApiError {
  return invalidParameter(param, `${param} ${message}.`);
}

const longestBetas = 1_000;

/**
 * Converts a message to the request of a chat, with the client's original body for upstreams that can read
 * it.
 */
function messageCall(body: MessageCreate, headers: IncomingHttpHeaders): OperationInput {
  const { chat, ignored } = readMessage(body);
  const betas = headers["anthropic-beta"];
  return {
    apiType: "chat-completions",
    body: chat,
    native: {
      protocol: "anthropic",
      body: () => (namesFiles(body) ? null : withoutWishes(body)),
      betas: typeof betas === "string" ? betas.slice(0, longestBetas) : null,
      ignored,
    },
  };
}

/** The wishes about providers are for this gateway only. */
function withoutWishes({ provider: _, ...body }: MessageCreate): Omit<MessageCreate, "provider"> {
  return body;
}

/** Whether the body refers to files of the gateway, which upstreams cannot read. */
function namesFiles({ messages }: MessageCreate): boolean {
  return messages.some(
    ({ content }) =>
      typeof content !== "string" && content.some(({ source }) => recordOf(source).type === "file"),
  );
}

/** A message converted to a chat. */
interface MessageRequest {
  chat: Record<string, unknown>;
  /** Fields of the message that have no effect in a chat. */
  ignored: string[];
}

/** Tools that run at Anthropic: agents offer them, but a model works without them. */
const leftOut = /^(web_search|web_fetch|code_execution|tool_search_tool\w*)_\d{8}$/;
/** Maps the requested effort to the levels that a chat accepts. */
const efforts = byName<string>({ low: "low", medium: "medium", high: "high", xhigh: "high", max: "high" });
/** A thinking budget up to these numbers of tokens maps to low or medium effort. */
const littleThought = 4_096;
const someThought = 16_384;

/** Reads a message. Throws `invalid_parameter` for anything that a chat cannot do. */
function readMessage(body: MessageCreate): MessageRequest {
  const { stream, max_tokens, temperature, top_p, top_k, stop_sequences: stop, metadata } = body;
  const { region, provider } = body;
  const { tools, ignored } = toolsOf(body.tools ?? []);
  const fields = {
    model: body.model,
    region,
    provider,
    messages: chatMessages(body),
    stream,
    max_tokens,
    temperature,
    top_p,
    top_k,
    stop,
    user: metadata?.user_id,
    metadata: keptOf(metadata),
    tools: tools.length > 0 ? tools : undefined,
    ...(tools.length > 0 && choiceOf(body.tool_choice)),
    reasoning_effort: effortOf(body),
    response_format: formatOf(body.output_config?.format),
  };
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return { chat: Object.fromEntries(set), ignored: [...ignored, ...unknownFields(body)] };
}

/** Keeps only valid pairs: Anthropic's clients add their own names, which must not make a message fail. */
function keptOf(metadata: MessageCreate["metadata"]): Metadata | undefined {
  const pairs = Object.entries(metadata ?? {}).filter(
    ([name, value]) =>
      typeof value === "string" &&
      value.length <= metadataLimits.valueLength &&
      name.length <= metadataLimits.keyLength,
  );
  return pairs.length === 0
    ? undefined
    : (Object.fromEntries(pairs.slice(0, metadataLimits.keys)) as Metadata);
}

function toolsOf(given: readonly Record<string, unknown>[]): { tools: object[]; ignored: string[] } {
  const ignored: string[] = [];
  const tools = given.flatMap((tool, index) => {
    const param = `tools[${index}]`;
    const { type, name, description, input_schema: parameters, strict } = tool;
    if (typeof type === "string" && leftOut.test(type)) {
      ignored.push(param);
      return [];
    }
    if (type !== undefined && type !== null && type !== "custom")
      throw refusal(
        param,
        `is ${String(type).slice(0, 50)}, which this gateway cannot run: give it a name and an input_schema`,
      );
    if (!textOf(name)) throw refusal(`${param}.name`, "must be the tool's name");
    return [
      {
        type: "function",
        function: {
          name,
          ...(typeof description === "string" && { description }),
          ...(isRecord(parameters) && { parameters }),
          ...(typeof strict === "boolean" && { strict }),
        },
      },
    ];
  });
  return { tools, ignored };
}

function choiceOf(choice: MessageCreate["tool_choice"]): Record<string, unknown> {
  if (!choice) return {};
  const together = choice.disable_parallel_tool_use === true && { parallel_tool_calls: false };
  switch (choice.type) {
    case "auto":
    case "none":
      return { tool_choice: choice.type, ...together };
    case "any":
      return { tool_choice: "required", ...together };
    case "tool":
      return { tool_choice: { type: "function", function: { name: choice.name } }, ...together };
    default:
      throw refusal("tool_choice.type", "must be auto, any, tool or none");
  }
}

function effortOf({ output_config: config, thinking }: MessageCreate): string | undefined {
  const { effort } = config ?? {};
  if (effort) {
    const known = efforts[effort];
    if (!known) throw refusal("output_config.effort", `must be ${Object.keys(efforts).join(", ")}`);
    return known;
  }
  const tokens = thinking?.type === "enabled" ? numberOf(thinking.budget_tokens) : null;
  if (tokens === null) return undefined;
  if (tokens <= littleThought) return "low";
  return tokens <= someThought ? "medium" : "high";
}

function formatOf(format: unknown): object | undefined {
  if (!isRecord(format)) return undefined;
  if (format.type !== "json_schema") throw refusal("output_config.format.type", "must be json_schema");
  return { type: "json_schema", json_schema: { name: "answer", schema: format.schema, strict: true } };
}

const known = new Set([
  "model",
  "region",
  "provider",
  "messages",
  "system",
  "stream",
  "max_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "metadata",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
]);
/** Fields that need Anthropic's own infrastructure. */
const refused = ["container", "mcp_servers"];

function unknownFields(body: MessageCreate): string[] {
  const set = Object.entries(body).filter(([name, value]) => !known.has(name) && value !== null);
  for (const [name, value] of set)
    if (refused.includes(name) && recordsOf([value].flat()).length > 0)
      throw refusal(name, "needs Anthropic's own machines: leave it out");
  return set.map(([name]) => name);
}
