import { createHash } from "node:crypto";
import type { FunctionCall } from "#gateway/models/providers/provider.ts";
import { badInput } from "../failure.ts";
import type { ChatInput } from "./input.ts";

/**
 * The function call that a chat asks for: by the phrase `/tool name {json}` at the start of the last user message, or
 * because `tool_choice` demands one of the `tools`, or because the message has a word of a tool's name. Null when it asks for none.
 */
export function toolCallOf(chat: ChatInput): FunctionCall | null {
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

/** Words of a tool's name that say nothing of what it is for. */
const plainWords = /^(get|set|list|find|read|run|call|make|create|tool|function|the|and|for)$/;
const shortestWord = 4;

/** A call of the first tool that is named after a word of the message, as a model would choose it. */
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

function sampleCall(tool: ChatInput["tools"][number], text: string, chat: ChatInput): FunctionCall {
  return call(tool.name, JSON.stringify(sampleOf(tool.parameters, text, 0)), chat);
}

function call(name: string, args: string, chat: ChatInput): FunctionCall {
  const id = createHash("sha256")
    .update(JSON.stringify([name, args, chat.messages.length]))
    .digest("hex")
    .slice(0, 24);
  return { id: `call_${id}`, type: "function", function: { name, arguments: args } };
}

function checkedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    throw badInput('The arguments after "/tool name" must be JSON.', "messages");
  }
}

const deepest = 6;

/** A value that matches a JSON Schema, with the user's words as text. */
function sampleOf(schema: Record<string, unknown>, words: string, depth: number): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "string") return words.slice(0, 80);
  if (type === "integer" || type === "number") return typeof schema.minimum === "number" ? schema.minimum : 1;
  if (type === "boolean") return true;
  if (type === "array") return depth < deepest ? [sampleOf(asRecord(schema.items), words, depth + 1)] : [];
  const properties = Object.entries(asRecord(schema.properties));
  if (depth >= deepest) return {};
  return Object.fromEntries(
    properties.map(([key, value]) => [key, sampleOf(asRecord(value), words, depth + 1)]),
  );
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
}
