import { isObject, type JsonObject } from "../schema-form/json.ts";
import { picturesOf, textOfMessage } from "../schema-form/messages.ts";

/** The messages of a draft, split as the chat view shows them. */
export interface Thread {
  /** The system prompt, which the page shows as a setting. */
  system: JsonObject | null;
  /** The messages so far. */
  past: readonly JsonObject[];
  /** The message that the user is writing, at the end of the draft. */
  next: JsonObject | null;
}

/** A user's message without content. */
export const emptyMessage: JsonObject = { role: "user", content: "" };

export function threadOf(messages: unknown): Thread {
  const all = Array.isArray(messages) ? messages.filter(isObject) : [];
  const [first] = all;
  const system = first?.role === "system" ? first : null;
  const rest = system ? all.slice(1) : all;
  const last = rest.at(-1);
  const next = last?.role === "user" ? last : null;
  return { system, past: next ? rest.slice(0, -1) : rest, next };
}

export function messagesOf({ system, past, next }: Thread): JsonObject[] {
  return [...(system ? [system] : []), ...past, ...(next ? [next] : [])];
}

/** Whether a message has no text and shows nothing. */
export function isEmptyMessage(message: JsonObject): boolean {
  if (textOfMessage(message).trim() !== "" || picturesOf(message).length > 0) return false;
  // Parts of other kinds, such as a file, count as content.
  return (
    !Array.isArray(message.content) || message.content.every((part) => isObject(part) && part.type === "text")
  );
}

/** The body without the empty user message at its end, which is only a placeholder for the next message. */
export function withoutEmptyEnd(body: JsonObject): JsonObject {
  const { messages } = body;
  const last = Array.isArray(messages) ? messages.at(-1) : null;
  if (!Array.isArray(messages) || messages.length < 2 || !isObject(last)) return body;
  return last.role === "user" && isEmptyMessage(last) ? { ...body, messages: messages.slice(0, -1) } : body;
}

/** Whether the model has to answer: after a question, or after the results of its calls. */
export function asksForAnswer(messages: readonly JsonObject[]): boolean {
  const role = messages.at(-1)?.role;
  return role === "user" || role === "tool";
}

/** A turn: a message, and for an assistant's message also the results of its calls. */
export interface Turn {
  /** Index of the turn's message. */
  at: number;
  message: JsonObject;
  results: readonly JsonObject[];
}

export function turnsOf(past: readonly JsonObject[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, message] of past.entries()) {
    const open = turns.at(-1);
    if (message.role === "tool" && open?.message.role === "assistant")
      turns[turns.length - 1] = { ...open, results: [...open.results, message] };
    else turns.push({ at, message, results: [] });
  }
  return turns;
}

/**
 * The conversation with `text` as the result of a tool call. `at` is the index of the message with the call.
 */
export function withResult(
  past: readonly JsonObject[],
  at: number,
  callId: string,
  content: string,
): JsonObject[] {
  const result = { role: "tool", content, tool_call_id: callId };
  let end = at + 1;
  while (past[end]?.role === "tool" && past[end]?.tool_call_id !== callId) end += 1;
  const isThere = past[end]?.role === "tool";
  return [...past.slice(0, end), result, ...past.slice(isThere ? end + 1 : end)];
}

/**
 * The messages before the user's message number `number`, counted from 0. All messages if there are fewer.
 */
export function beforeQuestion(past: readonly JsonObject[], number: number): readonly JsonObject[] {
  let seen = 0;
  const place = past.findIndex(({ role }) => {
    if (role !== "user") return false;
    seen += 1;
    return seen > number;
  });
  return place === -1 ? past : past.slice(0, place);
}

/** The messages up to the last question or result, so that another model can answer the same question. */
export function upToQuestion(past: readonly JsonObject[]): readonly JsonObject[] {
  const place = past.findLastIndex(({ role }) => role === "user");
  return past.slice(0, place + 1);
}
