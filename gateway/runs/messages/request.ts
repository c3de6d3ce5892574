import { byName } from "#contract/by-name.ts";
import type { MessageCreate } from "#contract/messages.ts";
import { type Metadata, metadataLimits } from "#contract/metadata.ts";
import { isRecord, numberOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { chatMessages } from "./blocks.ts";

/** A message as the chat that makes it. */
export interface MessageRequest {
  chat: Record<string, unknown>;
  /** What is left out of the chat. */
  ignored: string[];
}

/** Tools that run at Anthropic: agents offer them, and a model works without. */
const leftOut = /^(web_search|web_fetch|code_execution|tool_search_tool\w*)_\d{8}$/;
/** How hard a chat may be asked to think: it knows no more. */
const efforts = byName<string>({ low: "low", medium: "medium", high: "high", xhigh: "high", max: "high" });
/** How many tokens of thought are how much effort. */
const littleThought = 4_096;
const someThought = 16_384;

/** Reads a message. Throws `invalid_parameter` for what no chat can do. */
export function readMessage(body: MessageCreate): MessageRequest {
  const { stream, max_tokens, temperature, top_p, top_k, stop_sequences: stop, metadata, region } = body;
  const { tools, ignored } = toolsOf(body.tools ?? []);
  const fields = {
    model: body.model,
    region,
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

/** What fits: Anthropic's clients send names of their own making, which are no reason to refuse a message. */
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
        `is ${String(type).slice(0, 50)}, which does not run here: give it a name and an input_schema`,
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
/** Fields that need Anthropic's own machines. */
const refused = ["container", "mcp_servers"];

function unknownFields(body: MessageCreate): string[] {
  const set = Object.entries(body).filter(([name, value]) => !known.has(name) && value !== null);
  for (const [name, value] of set)
    if (refused.includes(name) && recordsOf([value].flat()).length > 0)
      throw refusal(name, "needs machines that are not here: leave it out");
  return set.map(([name]) => name);
}

function refusal(param: string, message: string): ApiError {
  return new ApiError("invalid_parameter", `${param} ${message}.`, { param });
}
