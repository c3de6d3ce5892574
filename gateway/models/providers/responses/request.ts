import { isRecord } from "#contract/input-schema/json-values.ts";
import { numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { inputWithMedia, upstreamFields } from "../media/inputs.ts";
import { type Mapped, withCacheKey } from "../protocol.ts";
import type { ProviderRequest } from "../provider.ts";

export const responsesName = "openai-responses";
/** The format, in `reasoning_details`, of a thought that only the upstream can read. */
export const sealedFormat = "openai-responses-v1";
const thoughtsIncluded = "reasoning.encrypted_content";
const logprobsIncluded = "message.output_text.logprobs";

type Item = Record<string, unknown>;

/**
 * The original body of a Responses client; null if the request came through another API, or an upstream could
 * not read it.
 */
export function nativeBodyOf({ native }: ProviderRequest): Item | null {
  return native?.protocol === responsesName ? native.body() : null;
}

/** The body of a response: the client's original, or built from the chat. The upstream must not store it. */
export async function responseBody(
  request: ProviderRequest,
  mapped: Mapped,
  native: Item | null,
): Promise<Item> {
  const { media, input } = request;
  const asked = native ?? (media.length > 0 ? await inputWithMedia(request, mapped.media) : input);
  const fields = upstreamFields(withCacheKey(asked, request, mapped), mapped.fields);
  const body = native ? fields : ofChat(fields);
  // Requests the encrypted thoughts: without them, the upstream could not continue a conversation that is
  // stored here.
  const carriesThoughts = isRecord(body.reasoning) && textOf(body.reasoning.effort);
  const include = new Set([body.include ?? []].flat());
  if (carriesThoughts) include.add(thoughtsIncluded);
  return {
    ...body,
    ...(include.size > 0 && { include: [...include] }),
    model: mapped.model,
    store: false,
  };
}

function ofChat(fields: Item): Item {
  const {
    messages,
    tools,
    tool_choice: choice,
    max_tokens,
    max_completion_tokens,
    reasoning_effort: effort,
    response_format: format,
    verbosity,
    logprobs,
    n,
    stream: _stream,
    stream_options: _options,
    ...same
  } = fields;
  const functions = recordsOf(tools).map(toolOf);
  const text = {
    ...(isRecord(format) && { format: formatOf(format) }),
    ...(verbosity !== undefined && { verbosity }),
  };
  const body = {
    ...same,
    // Sent on purpose: the upstream then refuses more than one answer with an error that names `n`.
    ...(n !== undefined && n !== 1 && { n }),
    input: recordsOf(messages).flatMap(itemsOf),
    ...(functions.length > 0 && { tools: functions, tool_choice: choiceOf(choice) }),
    max_output_tokens: numberOf(max_completion_tokens) ?? numberOf(max_tokens) ?? undefined,
    reasoning: effort === undefined ? undefined : { effort },
    text: Object.keys(text).length > 0 ? text : undefined,
    include: logprobs === true ? [logprobsIncluded] : undefined,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** The items for one chat message. */
function itemsOf(message: Item): Item[] {
  const { role, content } = message;
  if (role === "tool")
    return [{ type: "function_call_output", call_id: message.tool_call_id, output: outputOf(content) }];
  const parts = partsOf(content, role === "assistant");
  const said = parts.length > 0 ? [{ type: "message", role, content: parts }] : [];
  if (role !== "assistant") return said;
  const thoughts = recordsOf(message.reasoning_details)
    .filter(({ type, format }) => type === "reasoning.encrypted" && format === sealedFormat)
    .map(({ id, data }) => ({
      type: "reasoning",
      ...(textOf(id) && { id }),
      summary: [],
      encrypted_content: data,
    }));
  const calls = recordsOf(message.tool_calls).map(({ id, function: called }) => {
    const { name, arguments: text } = recordOf(called);
    return { type: "function_call", call_id: id, name, arguments: textOf(text) ?? "" };
  });
  return [...thoughts, ...said, ...calls];
}

function outputOf(content: unknown): unknown {
  return typeof content === "string" ? content : partsOf(content, false);
}

function partsOf(content: unknown, isAnswer: boolean): Item[] {
  const textType = isAnswer ? "output_text" : "input_text";
  if (typeof content === "string") return content === "" ? [] : [{ type: textType, text: content }];
  return recordsOf(content).map((part) => {
    if (part.type === "text") return { type: textType, text: part.text };
    if (part.type === "image_url") {
      const { url, detail } = recordOf(part.image_url);
      return { type: "input_image", image_url: url, detail: detail ?? "auto" };
    }
    if (part.type === "file") return { type: "input_file", ...recordOf(part.file) };
    return part;
  });
}

/** Responses check a function's arguments strictly by default; chats do not. */
function toolOf({ function: called }: Item): Item {
  const { name, description, parameters, strict } = recordOf(called);
  return {
    type: "function",
    name,
    ...(description !== undefined && { description }),
    parameters: isRecord(parameters) ? parameters : { type: "object", properties: {} },
    strict: strict === true,
  };
}

function choiceOf(choice: unknown): unknown {
  return isRecord(choice) ? { type: "function", name: recordOf(choice.function).name } : (choice ?? "auto");
}

function formatOf({ type, json_schema: schema }: Item): Item {
  return { type, ...recordOf(schema) };
}
