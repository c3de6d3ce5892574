import { ulidOf } from "#contract/ids.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { Item, ResponseCreate } from "#contract/responses.ts";
import { recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import type { NativeRequest } from "#gateway/models/providers/provider.ts";
import { responsesName } from "#gateway/models/providers/responses/request.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { NotePart, Places } from "#gateway/runs/execution/chat-front.ts";
import type { OperationInput } from "#gateway/runs/operations/admit.ts";
import type { Settings } from "./format-response.ts";
import { chatTools, messagesOf, type PlacedItem, type ToolName } from "./messages.ts";
import { nativeBody } from "./native.ts";
import { type SealedTexts, sealedTexts } from "./sealed-text.ts";
import { itemsNamed, itemsUpTo } from "./stored.ts";
import type { UnstoredConversations } from "./unstored.ts";

/** A response request converted to a chat. */
export interface ResponseRequest {
  /** The body of the chat. */
  chat: Record<string, unknown>;
  settings: Settings;
  names: ReadonlyMap<string, ToolName>;
  sealed: SealedTexts;
  showsSealed: boolean;
  /** The items of the earlier conversation that the request continues. */
  before: Item[];
  /** The messages as the first response of the conversation began them: with its instructions. */
  beginning: readonly object[];
  /** The new items, each with an id. */
  input: Item[];
  /** Makes the messages of the chat once more, to name a part of them as it was sent. */
  messagesAgain(note: NotePart): Record<string, unknown>[];
  /** The request for an upstream that speaks Responses. */
  native: NativeRequest;
}

/** Fields for features that this API does not have. */
const refused: Record<string, string> = {
  conversation: "previous_response_id continues a response",
  prompt: "send instructions and input",
  context_management: "POST /v1/responses/compact makes a conversation short",
  moderation: "answers are not moderated here",
};
/** `include` value that only shapes our answer; never sent upstream. */
export const thoughtsIncluded = "reasoning.encrypted_content";
const logprobsIncluded = "message.output_text.logprobs";

/**
 * Reads a request for a response: its tools, its settings, and its conversation, together with the earlier
 * conversation that it continues (which `unstored` has if a WebSocket keeps it only in memory). Throws
 * `invalid_parameter` for anything that a chat cannot do, and `previous_response_not_found`.
 */
export async function readResponse(
  context: RunsContext,
  actor: Actor,
  body: ResponseCreate,
  unstored?: UnstoredConversations,
): Promise<ResponseRequest> {
  // Each step below reads the whole body, which may have thousands of items, so other requests get a turn in
  // between.
  const othersRun = yieldToEventLoop();
  refuseUndoable(body);
  const sealed = sealedTexts(context, actor.accountId);
  const input = newItems(body.input);
  const previous = body.previous_response_id;
  const kept = previous ? await unstored?.find(previous) : [];
  const stored = kept || !previous ? null : await itemsUpTo(context, actor, previous);
  const before = kept ?? stored?.items ?? [];
  const placed = await resolved(context, actor, [
    ...before.map((item) => ({ item, place: "previous_response_id" })),
    ...input.map((item, index) => ({ item, place: `input[${index}]` })),
  ]);
  const messages = messagesOf(placed, sealed);
  if (messages.length === 0)
    throw new ApiError("missing_parameter", "input must have at least one item.", { param: "input" });
  await othersRun();
  const { tools, choice, names, ignored } = chatTools(recordsOf(body.tools), body.tool_choice);
  const { instructions } = body;
  const withInstructions = (text: string | null | undefined) =>
    text ? [{ role: "system", content: text }, ...messages] : messages;
  const include = body.include ?? [];
  return {
    chat: chatOf(body, {
      messages: withInstructions(instructions),
      tools,
      tool_choice: choice,
      ...(include.includes(logprobsIncluded) && { logprobs: true }),
    }),
    settings: settingsOf(body),
    names,
    sealed,
    showsSealed: include.includes(thoughtsIncluded),
    before,
    beginning: withInstructions(stored ? stored.instructions : instructions),
    input,
    messagesAgain: (note) => messagesOf(placed, sealed, note),
    native: {
      protocol: responsesName,
      body: () => nativeBody(body, placed, sealed),
      betas: null,
      ignored,
    },
  };
}

/** The chat that answers a response request. */
export function chatCall({ chat, native, beginning }: ResponseRequest): OperationInput {
  return { apiType: "chat-completions", body: chat, native, beginning };
}

function refuseUndoable(body: ResponseCreate): void {
  for (const [param, instead] of Object.entries(refused)) {
    const value = (body as Record<string, unknown>)[param];
    if (value === undefined || value === null) continue;
    throw invalidParameter(param, `${param} is not supported here: ${instead}.`);
  }
  const { n } = body as { n?: unknown };
  if (n !== undefined && n !== null && n !== 1)
    throw invalidParameter(
      "n",
      "n is not supported for responses: send the request again for another answer.",
    );
  if (body.truncation && body.truncation !== "disabled")
    throw invalidParameter(
      "truncation",
      "truncation must be disabled: a conversation is never shortened here.",
    );
}

/** The request's own items, each with an id by which later requests can refer to it. */
function newItems(input: ResponseCreate["input"]): Item[] {
  if (input === undefined || input === null) return [];
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
}

/** Gives each item an id derived from the response that it was sent for. */
export function namedItems(items: readonly Item[], responseId: string): Item[] {
  return items.map((item, index) =>
    typeof item.id === "string"
      ? item
      : { id: `item_${ulidOf(responseId)}_${index}`, type: "message", ...item },
  );
}

/** Replaces references by the items themselves. */
async function resolved(
  context: RunsContext,
  actor: Actor,
  items: readonly PlacedItem[],
): Promise<PlacedItem[]> {
  const references = items
    .filter(({ item }) => item.type === "item_reference")
    .map(({ item, place }) => ({ id: textOf(item.id) ?? "", place }));
  if (references.length === 0) return [...items];
  const named = await itemsNamed(context, actor, references);
  return items.map(({ item, place }) => ({ item: named.get(textOf(item.id) ?? "") ?? item, place }));
}

/** Maps settings to the chat's names for them. */
function chatOf(body: ResponseCreate, chat: Record<string, unknown>): Record<string, unknown> {
  const {
    input: _input,
    instructions: _instructions,
    previous_response_id: _previous,
    store: _store,
    include: _include,
    tools: _tools,
    tool_choice: _choice,
    max_output_tokens,
    max_tool_calls: _calls,
    reasoning,
    text,
    truncation: _truncation,
    background: _background,
    ...same
  } = body;
  const {
    stream_options: _options,
    parallel_tool_calls: parallel,
    ...rest
  } = same as Record<string, unknown>;
  const fields = {
    ...rest,
    ...chat,
    // OpenAI rejects `parallel_tool_calls` in a chat without tools.
    ...(chat.tools !== undefined && { parallel_tool_calls: parallel }),
    max_tokens: max_output_tokens,
    reasoning_effort: reasoning?.effort,
    verbosity: text?.verbosity,
    response_format: formatOf(text?.format),
    ...(body.top_logprobs && { logprobs: true }),
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The answer's format; undefined for plain text. */
function formatOf(format: unknown): object | undefined {
  if (!isRecord(format) || format.type === "text") return undefined;
  if (format.type !== "json_schema") return { type: format.type };
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}

function settingsOf(body: ResponseCreate): Settings {
  const { reasoning, text } = body;
  return {
    object: "response",
    previous_response_id: body.previous_response_id ?? null,
    instructions: body.instructions ?? null,
    tools: recordsOf(body.tools).map(toolView),
    tool_choice: body.tool_choice ?? "auto",
    truncation: "disabled",
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: { ...text, format: text?.format ?? { type: "text" }, verbosity: text?.verbosity ?? "medium" },
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: body.top_logprobs ?? 0,
    temperature: body.temperature ?? 1,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    store: body.store ?? true,
    background: false,
    service_tier: body.service_tier ?? "default",
    metadata: body.metadata ?? {},
    safety_identifier: body.safety_identifier ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    user: body.user ?? null,
  };
}

/** A function with all its fields, as responses show it. */
function toolView(tool: Item): Item {
  if (tool.type !== "function") return tool;
  const { description, parameters, strict } = recordOf(tool);
  return {
    ...tool,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
  };
}

/** Where each chat parameter is in a response request. */
export const responsePlaces: Places = {
  messages: "input",
  max_tokens: "max_output_tokens",
  reasoning_effort: "reasoning.effort",
  verbosity: "text.verbosity",
  response_format: "text.format",
};
