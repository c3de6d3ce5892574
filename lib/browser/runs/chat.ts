import { isObject } from "../../schema-form/json.ts";
import type { ChatOutput } from "./run.ts";

export const emptyChat: ChatOutput = {
  kind: "chat",
  text: "",
  reasoning: "",
  toolCalls: [],
  finishReason: null,
  usage: null,
  pieces: 0,
};

const asText = (value: unknown) => (typeof value === "string" ? value : "");

/** Adds a chunk in OpenAI's format to the answer. */
export function withChunk(chat: ChatOutput, chunk: unknown): ChatOutput {
  if (!isObject(chunk)) return chat;
  const choice = Array.isArray(chunk.choices) ? chunk.choices.find(isObject) : undefined;
  const usage = isObject(chunk.usage) ? { usage: chunk.usage } : {};
  if (!choice) return { ...chat, ...usage };
  const delta = isObject(choice.delta) ? choice.delta : {};
  const [text, reasoning] = [asText(delta.content), asText(delta.reasoning_content)];
  return {
    ...chat,
    ...usage,
    text: chat.text + text,
    reasoning: chat.reasoning + reasoning,
    toolCalls: withCallDeltas(chat.toolCalls, delta.tool_calls),
    finishReason: asText(choice.finish_reason) || chat.finishReason,
    pieces: chat.pieces + (text || reasoning ? 1 : 0),
  };
}

/** Tool calls also arrive in pieces: the first names the call, the others extend its arguments. */
function withCallDeltas(calls: ChatOutput["toolCalls"], deltas: unknown): ChatOutput["toolCalls"] {
  if (!Array.isArray(deltas)) return calls;
  const next = [...calls];
  for (const delta of deltas.filter(isObject)) {
    const index = typeof delta.index === "number" ? delta.index : next.length;
    const called = isObject(delta.function) ? delta.function : {};
    const old = next[index] ?? { id: "", name: "", arguments: "" };
    next[index] = {
      id: asText(delta.id) || old.id,
      name: old.name + asText(called.name),
      arguments: old.arguments + asText(called.arguments),
    };
  }
  return next;
}

/** A chat answer that was not streamed. */
export function chatFromBody(body: Record<string, unknown>): ChatOutput {
  const choice = Array.isArray(body.choices) ? body.choices.find(isObject) : undefined;
  const message = choice && isObject(choice.message) ? choice.message : {};
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const usage = isObject(body.usage) ? body.usage : null;
  return {
    ...emptyChat,
    text: asText(message.content),
    reasoning: asText(message.reasoning_content),
    toolCalls: withCallDeltas(
      [],
      calls.filter(isObject).map((call, index) => ({ ...call, index })),
    ),
    finishReason: asText(choice?.finish_reason) || null,
    usage,
    pieces: 0,
  };
}
