import type { JsonSchema } from "#contract/catalog.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";

/**
 * The request body for a row. For a chat, `prompt` and `system` replace messages, so that a plain table is
 * enough.
 */
export function bodyOfRow(
  compiled: CompiledOperation,
  model: string,
  input: Record<string, unknown>,
): Record<string, unknown> {
  if (!hasPlainPrompt(compiled, input) || input.prompt === undefined) return { ...input, model };
  const { prompt, system, ...rest } = input;
  const instruction = hasSystem(input) ? [{ role: "system", content: system }] : [];
  return { ...rest, model, messages: [...instruction, { role: "user", content: prompt }] };
}

/** The column that a body field came from; `pointer` is a JSON pointer. */
export function columnOfField(
  compiled: CompiledOperation,
  input: Record<string, unknown>,
  pointer: string,
): string | null {
  const [, field, message] = pointer.split("/");
  if (field !== "messages" || !hasPlainPrompt(compiled, input)) return field ?? null;
  return hasSystem(input) && message === "0" ? "system" : "prompt";
}

function hasPlainPrompt({ operation }: CompiledOperation, input: Record<string, unknown>): boolean {
  const isChat = operation.api_type === "chat-completions";
  const takesPrompt = "prompt" in (operation.input_schema.properties as JsonSchema);
  return isChat && !takesPrompt && input.messages === undefined;
}

function hasSystem({ system }: Record<string, unknown>): boolean {
  return system !== undefined && system !== null;
}
