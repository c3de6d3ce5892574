import type { Run } from "@/lib/browser/runs/run";
import type { Words } from "@/messages/words";
import { isObject, type JsonObject } from "./json.ts";

export const roles = ["system", "user", "assistant", "tool"] as const;

/**
 * Changes the role of a message: removes fields that the new role does not have, and adds required fields.
 */
export function withRole(message: JsonObject, role: string): JsonObject {
  const { tool_calls: calls, tool_call_id: callId, ...rest } = message;
  const next: JsonObject = { ...rest, role };
  // Only user messages have pictures.
  if (role !== "user" && Array.isArray(next.content)) next.content = textOfMessage(message);
  if (role === "assistant") return calls === undefined ? next : { ...next, tool_calls: calls };
  if (next.content === null || next.content === undefined) next.content = "";
  return role === "tool" ? { ...next, tool_call_id: callId ?? "" } : next;
}

/** The text of a message, or of its text parts. */
export function textOfMessage({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}

/** The pictures of a message: uploads and URLs. */
export function picturesOf({ content }: JsonObject): string[] {
  return partsOf(content).flatMap(({ image_url: image }) =>
    isObject(image) && typeof image.url === "string" ? [image.url] : [],
  );
}

/** The parts of a message that are neither text nor pictures, such as audio and documents. */
export function otherPartsOf({ content }: JsonObject): JsonObject[] {
  return partsOf(content).filter(({ type }) => type !== "text" && type !== "image_url");
}

/**
 * The message with this text and these pictures. Without other parts, the content is plain text. Parts of
 * other kinds stay.
 */
export function withContent(message: JsonObject, text: string, pictures: readonly string[]): JsonObject {
  const others = otherPartsOf(message);
  if (pictures.length === 0 && others.length === 0) return { ...message, content: text };
  const texts = text === "" ? [] : [{ type: "text", text }];
  const shown = pictures.map((url) => ({ type: "image_url", image_url: { url } }));
  return { ...message, content: [...texts, ...shown, ...others] };
}

function partsOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The most likely next message: the result of a tool call without one, or a message of the other side. */
export function nextMessage(messages: readonly JsonObject[]): JsonObject {
  const last = messages.at(-1);
  if (!last) return { role: "user", content: "" };
  const open = callIds([last])[0];
  if (last.role === "assistant" && open) return { role: "tool", content: "", tool_call_id: open };
  return { role: last.role === "user" ? "assistant" : "user", content: "" };
}

/** Adds the model's answer and then an empty message: for the results of its calls, or for the user. */
export function withAnswer(
  messages: readonly JsonObject[],
  answer: { text: string; toolCalls: readonly { id: string; name: string; arguments: string }[] },
): JsonObject[] {
  const calls = answer.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: given },
  }));
  if (calls.length === 0)
    return [...messages, { role: "assistant", content: answer.text }, { role: "user", content: "" }];
  const results = calls.map(({ id }) => ({ role: "tool", content: "", tool_call_id: id }));
  return [...messages, { role: "assistant", content: answer.text || null, tool_calls: calls }, ...results];
}

/** The tool calls in a message. */
export function callsOf({ tool_calls: calls }: JsonObject): JsonObject[] {
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}

/** The ids of all tool calls in `messages`. */
export function callIds(messages: readonly JsonObject[]): string[] {
  return messages.flatMap(callsOf).flatMap(({ id }) => (typeof id === "string" && id ? [id] : []));
}

/** A new tool call with a unique id. */
export function newToolCall(messages: readonly JsonObject[]): JsonObject {
  const taken = new Set(callIds(messages));
  let number = taken.size + 1;
  while (taken.has(`call_${number}`)) number += 1;
  return { id: `call_${number}`, type: "function", function: { name: "", arguments: "{}" } };
}

/** The list with the item at `index` moved by `step` places. */
export function moved<Item>(items: readonly Item[], index: number, step: number): Item[] {
  const next = [...items];
  const [item] = next.splice(index, 1);
  if (item !== undefined) next.splice(index + step, 0, item);
  return next;
}

const longest = 160;

/** The keys that describe the subject of a run. */
const titleKeys = ["prompt", "input", "text", "action"];

/** The subject of a run: its prompt, text or last user message. Null without one. */
export function inputTitle(input: Record<string, unknown>): string | null {
  for (const key of titleKeys) {
    const value = input[key];
    if (typeof value === "string" && value.trim()) return excerpt(value);
  }
  const messages = Array.isArray(input.messages) ? input.messages.filter(isObject) : [];
  const asked = messages.findLast(
    (message) => message.role === "user" && textOfMessage(message).trim() !== "",
  );
  return asked ? excerpt(textOfMessage(asked)) : null;
}

function excerpt(text: string): string {
  return text.trim().slice(0, longest);
}

/** The subject of a run, or a note that its input was not stored. */
export function runTitle({ body }: Run, t: Words<"playground">): string {
  return inputTitle(body) ?? t(Object.keys(body).length > 0 ? "runOf" : "runWithInlineFiles");
}
