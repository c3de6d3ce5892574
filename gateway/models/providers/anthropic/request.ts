import { byName } from "#contract/by-name.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { countValues, maxNewNames } from "#gateway/platform/http/body-bounds.ts";
import { numberOf, parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest } from "../provider.ts";

export const anthropicName = "anthropic";

type Block = Record<string, unknown>;

interface Turn {
  role: "user" | "assistant";
  content: Block[];
}

/** Anthropic requires a maximum output length. */
const usualMaxTokens = 8_192;

/** Thinking tokens for each effort. */
const thoughtTokens = byName<number>({ minimal: 1_024, low: 2_048, medium: 8_192, high: 24_576 });

/**
 * The original body of a Messages client; null if the request came through another API, or an upstream could
 * not read it.
 */
export function nativeBodyOf({ native }: ProviderRequest): Block | null {
  return native?.protocol === anthropicName ? native.body() : null;
}

/** The body of a message: the client's original, or built from the chat. */
export async function messageBody(
  request: ProviderRequest,
  mapped: Mapped,
  native: Block | null,
): Promise<Record<string, unknown>> {
  if (native) {
    const { stream: _, region: __, ...body } = upstreamFields(native, mapped.fields);
    return marked({ ...body, model: mapped.model }, mapped);
  }
  const input = request.media.length > 0 ? await inputWithMedia(request, mapped.media) : request.input;
  const fields = upstreamFields(input, mapped.fields);
  const { maxOutputTokens } = request.operation.limits;
  const asked = numberOf(fields.max_completion_tokens) ?? numberOf(fields.max_tokens);
  const maxTokens = asked ?? numberOf(maxOutputTokens) ?? usualMaxTokens;
  const { system, turns } = turnsOf(recordsOf(fields.messages));
  const temperature = numberOf(fields.temperature);
  const stop = [fields.stop ?? []].flat();
  const tools = recordsOf(fields.tools).map(toolOf);
  const body = {
    model: mapped.model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages: turns,
    // Anthropic's temperature scale ends at 1.
    temperature: temperature === null ? undefined : Math.min(1, temperature),
    top_p: fields.top_p,
    top_k: fields.top_k,
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(tools.length > 0 && { tools, tool_choice: choiceOf(fields) }),
    ...(textOf(fields.user) && { metadata: { user_id: fields.user } }),
    thinking: thinkingOf(fields, maxTokens),
  };
  return marked(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)), mapped);
}

/** Marks the end of tools and of system for the cache if the route wants that and the caller set no marks. */
function marked(body: Block, { marksBeginning }: Mapped): Block {
  const { tools, system, messages } = body;
  if (!marksBeginning || hasMark([body, tools, system, messages])) return body;
  const blocks = typeof system === "string" ? blocksOf(system) : recordsOf(system);
  return {
    ...body,
    ...(recordsOf(tools).length > 0 && { tools: withMark(recordsOf(tools), usualMark) }),
    ...(blocks.length > 0 && { system: withMark(blocks, usualMark) }),
  };
}

const usualMark = { type: "ephemeral" };

function hasMark(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMark);
  return isRecord(value) && (isRecord(value.cache_control) || hasMark(value.content));
}

/** A mark at the end of these blocks. Thoughts cannot be marked. */
function withMark(blocks: Block[], mark: unknown): Block[] {
  const last = blocks.at(-1);
  if (!last || !isRecord(mark) || last.type === "thinking" || last.type === "redacted_thinking")
    return blocks;
  return [...blocks.slice(0, -1), { ...last, cache_control: mark }];
}

function thinkingOf({ thinking, reasoning_effort: effort }: Block, maxTokens: number): unknown {
  if (isRecord(thinking)) return thinking;
  const tokens = typeof effort === "string" ? thoughtTokens[effort] : undefined;
  // The thinking budget must be smaller than the output limit.
  return tokens && tokens < maxTokens ? { type: "enabled", budget_tokens: tokens } : undefined;
}

/** The chat's messages as turns. Consecutive messages of the same side are joined, as Anthropic expects. */
function turnsOf(messages: readonly Block[]): { system: Block[]; turns: Turn[] } {
  refuseManyNames(messages);
  const system: Block[] = [];
  const turns: Turn[] = [];
  const say = (role: Turn["role"], blocks: Block[]) => {
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  };
  for (const message of messages) {
    const { role, content, cache_control: mark } = message;
    if (role === "system") system.push(...withMark(blocksOf(content), mark));
    else if (role === "assistant") say("assistant", withMark(assistantBlocks(message), mark));
    else if (role === "tool") {
      const result = { type: "tool_result", tool_use_id: message.tool_call_id, content: blocksOf(content) };
      say("user", withMark([result], mark));
    } else say("user", withMark(blocksOf(content), mark));
  }
  return { system, turns };
}

/** The arguments of calls are JSON inside the texts of a body, so their names are counted here. */
function refuseManyNames(messages: readonly Block[]): void {
  let newNames = 0;
  for (const { tool_calls: calls } of messages)
    for (const { function: called } of recordsOf(calls)) {
      newNames += countValues(textOf(recordOf(called).arguments) ?? "").newNames;
      if (newNames <= maxNewNames) continue;
      throw new ProviderError(
        "invalid_parameter",
        `The arguments of the calls have more than ${maxNewNames} different names.`,
        { started: "no", param: "messages" },
      );
    }
}

function assistantBlocks(message: Block): Block[] {
  const thoughts = recordsOf(message.reasoning_details).flatMap(
    ({ type, text, signature, data }): Block[] => {
      if (type === "reasoning.encrypted" && textOf(data)) return [{ type: "redacted_thinking", data }];
      // Anthropic rejects unsigned thoughts, so they are dropped.
      return textOf(signature) ? [{ type: "thinking", thinking: text ?? "", signature }] : [];
    },
  );
  const calls = recordsOf(message.tool_calls).map(({ id, function: called }) => {
    const { name, arguments: text } = recordOf(called);
    return { type: "tool_use", id, name, input: recordOf(parsed(textOf(text) || "{}")) };
  });
  return [...thoughts, ...blocksOf(message.content), ...calls];
}

function blocksOf(content: unknown): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return recordsOf(content).map(blockOf);
}

function blockOf(part: Block): Block {
  const cached = isRecord(part.cache_control) && { cache_control: part.cache_control };
  if (part.type === "image_url")
    return { type: "image", source: sourceOf(textOf(recordOf(part.image_url).url) ?? ""), ...cached };
  if (part.type === "file") {
    const { file_data, filename } = recordOf(part.file);
    const title = textOf(filename) && { title: filename };
    return { type: "document", source: sourceOf(textOf(file_data) ?? ""), ...title, ...cached };
  }
  if (part.type === "text" || part.type === "refusal")
    return { type: "text", text: textOf(part.text) ?? textOf(part.refusal) ?? "", ...cached };
  throw new ProviderError(
    "invalid_parameter",
    `This provider does not accept parts of type ${String(part.type)}.`,
    {
      started: "no",
      param: "messages",
    },
  );
}

function sourceOf(address: string): Block {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(address) ?? [];
  return data === undefined ? { type: "url", url: address } : { type: "base64", media_type: type, data };
}

function toolOf(tool: Block): Block {
  const { name, description, parameters, strict, cache_control: inner } = recordOf(tool.function);
  const mark = tool.cache_control ?? inner;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: isRecord(parameters) ? { type: "object", ...parameters } : { type: "object" },
    ...(strict === true && { strict }),
    ...(isRecord(mark) && { cache_control: mark }),
  };
}

function choiceOf({ tool_choice: choice, parallel_tool_calls: parallel }: Block): Block | undefined {
  const alone = parallel === false && { disable_parallel_tool_use: true };
  if (choice === "none") return { type: "none" };
  if (choice === "required") return { type: "any", ...alone };
  if (isRecord(choice)) return { type: "tool", name: recordOf(choice.function).name, ...alone };
  return choice === "auto" || alone ? { type: "auto", ...alone } : undefined;
}
