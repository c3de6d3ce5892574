import { isRecord } from "#contract/input-schema/json-values.ts";
import type { Item } from "#contract/responses.ts";
import { recordOf, recordsOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { NotePart } from "#gateway/runs/execution/chat-front.ts";
import type { SealedTexts } from "./sealed-text.ts";

type Message = Record<string, unknown>;

/** A model's thoughts, as the next turn returns them to its upstream. */
export interface Thought {
  reasoning_content?: string;
  reasoning_details?: unknown[];
}

/** An item of a conversation and its place in the request. */
export interface PlacedItem {
  item: Item;
  place: string;
}

/**
 * Converts the items of a conversation into chat messages: an assistant's thoughts, text and calls become one
 * message, and results directly follow their calls. Throws `invalid_parameter` for anything that chats do not
 * have.
 */
export function messagesOf(items: readonly PlacedItem[], sealed: SealedTexts, note?: NotePart): Message[] {
  const messages: Message[] = [];
  /** The results for each message with calls. */
  const results = new Map<Message, Message[]>();
  const calledIn = new Map<string, Message>();
  let speaking = null as Message | null;
  const speak = (starts: boolean): Message => {
    if (speaking && !starts) return speaking;
    speaking = { role: "assistant", content: null };
    messages.push(speaking);
    return speaking;
  };
  for (const { item, place } of items) {
    const type = item.type ?? (item.role === undefined ? undefined : "message");
    switch (type) {
      case "message": {
        const content = contentOf(item.content, `${place}.content`, note);
        if (item.role !== "assistant") {
          speaking = null;
          messages.push({ role: item.role, content });
          break;
        }
        const said = speak(hasContent(speaking));
        said.content = typeof content === "string" ? content : content.map(textIn).join("");
        break;
      }
      case "reasoning": {
        Object.assign(speak(hasContent(speaking)), thoughtOf(item, place, sealed));
        break;
      }
      case "function_call":
      case "custom_tool_call": {
        const id = needed(item.call_id, `${place}.call_id`);
        const name = chatName(needed(item.name, `${place}.name`), item.namespace);
        const text =
          type === "custom_tool_call" ? JSON.stringify({ input: item.input ?? "" }) : item.arguments;
        const caller = speak(false);
        const calls = (caller.tool_calls ?? []) as object[];
        caller.tool_calls = calls;
        calls.push({ id, type: "function", function: { name, arguments: textOf(text) ?? "" } });
        calledIn.set(id, caller);
        break;
      }
      case "function_call_output":
      case "custom_tool_call_output": {
        speaking = null;
        const id = needed(item.call_id, `${place}.call_id`);
        const caller = calledIn.get(id);
        if (!caller) throw refusal(`${place}.call_id`, "has no call before it in the conversation");
        const answers = results.get(caller) ?? [];
        results.set(caller, answers);
        const content = contentOf(item.output, `${place}.output`, note);
        answers.push({ role: "tool", tool_call_id: id, content });
        break;
      }
      case "compaction": {
        speaking = null;
        messages.push(compactedMessage(item, place, sealed));
        break;
      }
      // An upstream's own search; the chat contains its answer.
      case "web_search_call":
        break;
      default:
        throw unknownType(type, place);
    }
  }
  // A thought without any text or call after it does not make a message.
  return messages
    .filter(
      ({ role, content, tool_calls: calls }) =>
        role !== "assistant" || content !== null || calls !== undefined,
    )
    .flatMap((message) => [message, ...(results.get(message) ?? [])]);
}

function hasContent(message: Message | null): boolean {
  return message !== null && (message.content !== null || message.tool_calls !== undefined);
}

/** The message that replaces a compacted conversation. Throws `invalid_parameter` if it cannot be opened. */
export function compactedMessage(item: Item, place: string, sealed: SealedTexts): Message {
  const text = sealed.open("compaction", item.encrypted_content, `${place}.encrypted_content`);
  return { role: "user", content: `The conversation so far, in short:\n\n${text}` };
}

/** Throws `invalid_parameter` if it cannot be opened. */
export function thoughtOf(item: Item, place: string, sealed: SealedTexts): Thought {
  if (item.encrypted_content !== undefined && item.encrypted_content !== null)
    return JSON.parse(
      sealed.open("thought", item.encrypted_content, `${place}.encrypted_content`),
    ) as Thought;
  const text = recordsOf(item.content).map(textIn).join("");
  return text === "" ? {} : { reasoning_content: text };
}

/** The content of a chat message: the string itself, or the parts converted to a chat's. */
function contentOf(content: unknown, place: string, note?: NotePart): string | Message[] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw refusal(place, "must be a string or a list of parts");
  return content.map((part, index) => partOf(part, `${place}[${index}]`, note));
}

function partOf(part: unknown, place: string, note?: NotePart): Message {
  if (!isRecord(part)) throw refusal(place, "must be a part, such as an input_text");
  const made = chatPart(part, place);
  note?.(made, { place, type: String(part.type) });
  return made;
}

function chatPart(part: Message, place: string): Message {
  switch (part.type) {
    case "input_text":
    case "output_text":
    case "text":
    case "summary_text":
      return { type: "text", text: needed(part.text, `${place}.text`, true) };
    case "refusal":
      return { type: "refusal", refusal: needed(part.refusal, `${place}.refusal`, true) };
    case "input_image": {
      const url = needed(part.image_url ?? part.file_id, `${place}.image_url`);
      return { type: "image_url", image_url: { url, ...(textOf(part.detail) && { detail: part.detail }) } };
    }
    case "input_file": {
      if (part.file_url !== undefined && part.file_url !== null)
        throw refusal(`${place}.file_url`, "is not fetched here: send file_data");
      const { file_data, filename, file_id } = part;
      const file = Object.entries({ file_data, filename, file_id }).filter(([, value]) => textOf(value));
      return { type: "file", file: Object.fromEntries(file) };
    }
    case "input_audio":
      return { type: "input_audio", input_audio: part.input_audio };
    default:
      throw unknownType(part.type, place);
  }
}

function textIn(part: Message): string {
  return textOf(part.text) ?? textOf(part.refusal) ?? "";
}

function needed(value: unknown, param: string, mayBeEmpty = false): string {
  if (typeof value === "string" && (mayBeEmpty || value !== "")) return value;
  throw new ApiError(
    value === undefined || value === null ? "missing_parameter" : "invalid_parameter",
    `${param} must be a string.`,
    { param },
  );
}

function unknownType(type: unknown, place: string): ApiError {
  const what = typeof type === "string" ? `of type ${type.slice(0, 50)}` : "without a type";
  return refusal(place, `is ${what}, which no chat has`);
}

function refusal(param: string, message: string): ApiError {
  return invalidParameter(param, `${param} ${message}.`);
}

/**
 * What a model's function name means to the client: a function, one of a namespace, or a tool that takes
 * plain text.
 */
export interface ToolName {
  type: "function" | "custom";
  name: string;
  namespace?: string;
}

export interface ChatTools {
  /** The tools of the chat; undefined without any. */
  tools: object[] | undefined;
  choice: unknown;
  names: ReadonlyMap<string, ToolName>;
  /** The places of tools that are left out: the model works without them. */
  ignored: string[];
}

/** Web searches run at OpenAI. Agents always offer one, but a model works without it. */
const leftOut = /^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/;
const join = "__";
/** The schema that a chat sees for a plain-text tool. */
const plainText = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};

/** Converts the tools of a response for a chat. Throws `invalid_parameter` for one that cannot run here. */
export function chatTools(given: readonly Item[], choice: unknown): ChatTools {
  const tools: object[] = [];
  const names = new Map<string, ToolName>();
  const ignored: string[] = [];
  const add = (tool: Item, place: string, namespace?: string) => {
    const name = textOf(tool.name);
    if (!name) throw refusal(`${place}.name`, "must be the tool's name");
    const called = namespace === undefined ? name : chatName(name, namespace);
    if (names.has(called)) throw refusal(place, `has the name ${name} of another tool`);
    const isCustom = tool.type === "custom";
    names.set(called, { type: isCustom ? "custom" : "function", name, ...(namespace && { namespace }) });
    const { description, parameters, strict } = tool;
    tools.push({
      type: "function",
      function: {
        name: called,
        ...(typeof description === "string" && { description }),
        ...(isCustom ? { parameters: plainText } : isRecord(parameters) && { parameters }),
        ...(typeof strict === "boolean" && !isCustom && { strict }),
      },
    });
  };
  for (const [index, tool] of given.entries()) {
    const place = `tools[${index}]`;
    const { type } = tool;
    if (type === "function" || type === "custom") add(tool, place);
    else if (type === "namespace") {
      const namespace = textOf(tool.name);
      if (!namespace) throw refusal(`${place}.name`, "must be the namespace's name");
      for (const [at, inner] of recordsOf(tool.tools).entries()) {
        const inside = `${place}.tools[${at}]`;
        if (inner.type !== "function" && inner.type !== "custom") throw unknownTool(inside, inner.type);
        add(inner, inside, namespace);
      }
    } else if (typeof type === "string" && leftOut.test(type)) ignored.push(place);
    else throw unknownTool(place, type);
  }
  const chosen = chosenOf(choice, names);
  const { allowed } = chosen;
  const offered = allowed ? tools.filter((tool) => allowed.has(nameIn(tool))) : tools;
  return { tools: offered.length > 0 ? offered : undefined, choice: chosen.choice, names, ignored };
}

/** The name under which the model sees a namespace's tool. */
export function chatName(name: string, namespace: unknown): string {
  return typeof namespace === "string" ? `${namespace}${join}${name}` : name;
}

/** The chat's `tool_choice`, and the tools that it restricts the chat to. */
function chosenOf(
  choice: unknown,
  names: ReadonlyMap<string, ToolName>,
): { choice: unknown; allowed?: ReadonlySet<string> } {
  if (choice === undefined || choice === null) return { choice: undefined };
  if (typeof choice === "string") {
    if (!["auto", "none", "required"].includes(choice))
      throw refusal("tool_choice", "must be auto, none, required or a tool");
    return { choice: names.size > 0 ? choice : undefined };
  }
  const chosen = recordOf(choice);
  if (chosen.type === "allowed_tools")
    return {
      choice: chosen.mode === "required" ? "required" : "auto",
      allowed: new Set(recordsOf(chosen.tools).map((tool) => knownName(tool, names))),
    };
  return { choice: { type: "function", function: { name: knownName(chosen, names) } } };
}

function knownName({ type, name, namespace }: Item, names: ReadonlyMap<string, ToolName>): string {
  if (type !== "function" && type !== "custom") throw unknownTool("tool_choice", type);
  const called = chatName(textOf(name) ?? "", namespace);
  if (!names.has(called)) throw refusal("tool_choice", `names ${called}, which is not among the tools`);
  return called;
}

function nameIn(tool: object): string {
  return textOf(recordOf((tool as Item).function).name) ?? "";
}

function unknownTool(place: string, type: unknown): ApiError {
  const what = typeof type === "string" ? type.slice(0, 50) : "a tool without a type";
  return refusal(place, `is ${what}, which does not run here: use function, custom and namespace`);
}
