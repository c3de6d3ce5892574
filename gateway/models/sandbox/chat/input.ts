import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { tokensOf } from "./tokens.ts";

/** A chat request, read leniently: its schema has already been checked. */
export interface ChatInput {
  messages: { role: string; text: string; toolCallId: string | null }[];
  temperature: number | null;
  maxTokens: number | null;
  effort: "low" | "medium" | "high" | null;
  seed: number;
  stop: string[];
  wantsJson: boolean;
  tools: { name: string; parameters: Record<string, unknown> }[];
  /** The function that must be called, `any` of them, or none. */
  mustCall: string | "any" | null;
  /** Whether it may call a function unasked. */
  mayCall: boolean;
  promptTokens: number;
  /** What it was shown: `image/png, 12,345 bytes`. */
  pictures: string[];
}

export function readChat(
  { input, media }: Pick<ProviderRequest, "input" | "media">,
  seed: number,
): ChatInput {
  const messages = list(input.messages).map((message) => ({
    role: text(message.role),
    text: contentText(message.content),
    toolCallId: typeof message.tool_call_id === "string" ? message.tool_call_id : null,
  }));
  const stop = typeof input.stop === "string" ? [input.stop] : strings(input.stop);
  return {
    messages,
    temperature: number(input.temperature),
    maxTokens: number(input.max_completion_tokens) ?? number(input.max_tokens),
    effort: effortOf(input.reasoning_effort),
    seed: number(input.seed) ?? seed,
    stop: stop.filter(Boolean),
    wantsJson: ["json_object", "json_schema"].includes(text(record(input.response_format).type)),
    tools: list(input.tools).map((tool) => {
      const definition = record(tool.function);
      return { name: text(definition.name), parameters: record(definition.parameters) };
    }),
    mustCall: mustCallOf(input.tool_choice),
    mayCall: input.tool_choice !== "none",
    promptTokens: tokensOf(messages.map((message) => `${message.role} ${message.text}`).join("\n")).length,
    pictures: media.map(
      ({ contentType, sizeBytes }) => `${contentType}, ${sizeBytes.toLocaleString("en")} bytes`,
    ),
  };
}

function mustCallOf(choice: unknown): ChatInput["mustCall"] {
  if (choice === "required") return "any";
  return text(record(record(choice).function).name) || null;
}

function effortOf(value: unknown): ChatInput["effort"] {
  return value === "low" || value === "medium" || value === "high" ? value : null;
}

/** Text of a message: a string, or the text parts of a list. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(part.text) || text(part.refusal) || `[${text(part.type) || "part"}]`)
    .join("\n");
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
}
function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(record) : [];
}
function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
